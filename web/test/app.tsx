import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { useEffect, useMemo, useState, type DetailedHTMLProps, type HTMLAttributes } from "react";

// Load the widget before React renders <parley-question>: React asks the element what its properties are.
// <script type="module" src="https://parley.example/widget.js"></script>

export interface Settings {
  server: string; // https://parley.example; your origin is one of its origins
  conversation: string; // your id for it; the server keeps it, for the person of the token
  getToken: () => Promise<string>; // for this person, as your auth.jwt takes it
}

// The data parts of Parley.
type Message = UIMessage<unknown, { "elicitation-request": { elicitationId: string }; warning: { message: string } }>;

// History first, then the chat: what was said is the server's to know.
export function App({ server, conversation, getToken }: Settings) {
  const [history, setHistory] = useState<{ messages: Message[]; active: boolean }>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const left = new AbortController();
    load({ server, conversation, getToken }, left.signal).then(setHistory, (error: Error) => left.signal.aborted || setProblem(error.message));
    return () => left.abort();
  }, [server, conversation, getToken]);
  if (problem) return <p role="alert">{problem}</p>;
  return history ? <Chat {...{ server, conversation, getToken }} {...history} /> : <p>Loading…</p>;
}

async function load({ server, conversation, getToken }: Settings, signal: AbortSignal) {
  const headers = { authorization: `Bearer ${await getToken()}` };
  const response = await fetch(`${server}/run/api/chat/${conversation}`, { headers, signal });
  if (!response.ok) throw new Error(`The conversation could not be loaded (${response.status}).`);
  return (await response.json()) as { messages: Message[]; active: boolean };
}

function Chat({ server, conversation, getToken, messages: initial, active }: Settings & { messages: Message[]; active: boolean }) {
  const [draft, setDraft] = useState("");
  const transport = useMemo(() => {
    // A token needs no cookie, so the page may be of any site that the server lists.
    const headers = async () => ({ authorization: `Bearer ${await getToken()}`, "x-supports-elicitation": "true" });
    return new DefaultChatTransport<Message>({
      api: `${server}/run/api/chat`,
      headers,
      credentials: "omit",
      // Only the last message: the server has the others.
      prepareSendMessagesRequest: async ({ id, messages, trigger }) => ({ body: { id, trigger, messages: messages.slice(-1) }, headers: await headers() }),
    });
  }, [server, getToken]);
  const { messages, sendMessage, regenerate, resumeStream, stop, status, error } = useChat<Message>({ id: conversation, messages: initial, transport });
  const busy = status === "submitted" || status === "streaming";

  // A turn that goes on, also one that waits for a person, is taken up again after a reload. Once: React runs effects twice in development.
  const [resumed] = useState({ done: false });
  useEffect(() => {
    if (active && !resumed.done) void resumeStream();
    resumed.done = true;
  }, [active, resumed, resumeStream]);

  // stop() ends this page's stream alone; the server is told to end the turn, and withdraws its questions.
  const halt = async () => {
    await fetch(`${server}/run/api/chat/${conversation}/stream`, { method: "DELETE", headers: { authorization: `Bearer ${await getToken()}` } });
    await stop();
  };

  return (
    <main>
      {messages.map((message) => (
        <section key={message.id} aria-label={message.role}>
          {message.parts.map((part, i) => {
            switch (part.type) {
              case "text":
                return <p key={i}>{part.text}</p>;
              case "data-warning":
                return <p key={i}>{part.data.message}</p>;
              case "data-elicitation-request":
                // The card sends the answer itself, and opens the popup of a connection; its outcome comes with the stream.
                return (
                  <parley-question key={part.data.elicitationId} request={part.data} conversation={conversation}
                    endpoint={`${server}/run/api/elicitation-responses`} getToken={getToken} />
                );
            }
            return null;
          })}
        </section>
      ))}
      {error && <p role="alert">{error.message} <button onClick={() => void regenerate()}>Try again</button></p>}
      <form onSubmit={(event) => {
        event.preventDefault();
        if (draft.trim() === "" || busy) return;
        void sendMessage({ text: draft });
        setDraft("");
      }}>
        <input aria-label="Message" value={draft} onChange={(event) => setDraft(event.target.value)} />
        {busy ? <button type="button" onClick={() => void halt()}>Stop</button> : <button>Send</button>}
      </form>
    </main>
  );
}

// React passes on what it does not know: as properties where the element has them.
interface Question extends HTMLAttributes<HTMLElement> {
  request: unknown;
  endpoint: string;
  conversation: string;
  getToken: () => Promise<string>;
}
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "parley-question": DetailedHTMLProps<Question, HTMLElement>;
    }
  }
}
