// An application of somebody else: React and useChat, with <parley-question> for the questions and nothing more of ours.

import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { createRoot } from "react-dom/client";

const transport = new DefaultChatTransport({ api: "/run/api/chat", headers: { "x-supports-elicitation": "true" } });

function App() {
  const { id, messages, sendMessage, status, error } = useChat({ transport });
  return (
    <main>
      <h1>Somebody else</h1>
      <button onClick={() => sendMessage({ text: "Begin" })}>Begin</button>
      <p id="status">{status}</p>
      <p id="error">{error?.message}</p>
      {messages.map((message) => (
        <section key={message.id}>
          {message.parts.map((part, i) => {
            if (part.type === "text") return <p key={i}>{part.text}</p>;
            if (part.type !== "data-elicitation-request") return null;
            return (
              <parley-question
                key={part.id}
                request={part.data}
                endpoint="/run/api/elicitation-responses"
                conversation={id}
                onparley-answered={(event) => (document.title = `answered ${event.detail.action}`)}
              />
            );
          })}
        </section>
      ))}
    </main>
  );
}

createRoot(document.getElementById("root")).render(<App />);
