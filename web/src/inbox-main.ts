// The inbox: the script of the page /inbox.

import { ParleyInbox } from "./inbox.js";
import { defineAdministration } from "./inbox-admin.js";
import { InboxConnections } from "./inbox-connections.js";
import { InboxHistory } from "./inbox-history.js";
import { InboxMany } from "./inbox-many.js";
import { InboxPermissions } from "./inbox-permissions.js";
import { InboxQuestions } from "./inbox-questions.js";
import { ParleyQuestion } from "./question.js";

customElements.define("parley-question", ParleyQuestion);
customElements.define("parley-inbox-many", InboxMany);
customElements.define("parley-inbox-questions", InboxQuestions);
customElements.define("parley-inbox-history", InboxHistory);
customElements.define("parley-inbox-connections", InboxConnections);
customElements.define("parley-inbox-permissions", InboxPermissions);
defineAdministration();
customElements.define("parley-inbox", ParleyInbox);
