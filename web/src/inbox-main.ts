// The inbox: the script of the page /inbox.

import { ParleyInbox } from "./inbox.js";
import { InboxAbsence } from "./inbox-absence.js";
import { InboxChannels } from "./inbox-channels.js";
import { defineAdministration } from "./inbox-admin.js";
import { InboxConnections } from "./inbox-connections.js";
import { InboxConversations } from "./inbox-conversations.js";
import { InboxDevices } from "./inbox-devices.js";
import { InboxHistory } from "./inbox-history.js";
import { InboxLogins } from "./inbox-logins.js";
import { InboxMany } from "./inbox-many.js";
import { InboxNotifications } from "./inbox-notifications.js";
import { InboxPermissions } from "./inbox-permissions.js";
import { InboxQuestions } from "./inbox-questions.js";
import { ParleyQuestion } from "./question.js";

customElements.define("parley-question", ParleyQuestion);
customElements.define("parley-inbox-many", InboxMany);
customElements.define("parley-inbox-questions", InboxQuestions);
customElements.define("parley-inbox-history", InboxHistory);
customElements.define("parley-inbox-connections", InboxConnections);
customElements.define("parley-inbox-permissions", InboxPermissions);
customElements.define("parley-inbox-absence", InboxAbsence);
customElements.define("parley-inbox-channels", InboxChannels);
customElements.define("parley-inbox-conversations", InboxConversations);
customElements.define("parley-inbox-devices", InboxDevices);
customElements.define("parley-inbox-logins", InboxLogins);
customElements.define("parley-inbox-notifications", InboxNotifications);
defineAdministration();
customElements.define("parley-inbox", ParleyInbox);
