// The example of docs/react.md in a page: what an application has to bring along is in the address.

import { createRoot } from "react-dom/client";
import { App } from "./app.js";

const asked = new URLSearchParams(location.search);
const getToken = async () => asked.get("token")!;

createRoot(document.getElementById("root")!).render(<App server={asked.get("server")!} conversation="c-react" getToken={getToken} />);
