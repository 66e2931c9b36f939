// useQuestions in a page, of the server that the page comes from.

import { createRoot } from "react-dom/client";
import { useQuestions } from "../client/src/react.js";

function Inbox() {
  const { questions, error, answer } = useQuestions({ url: location.origin });
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <ul>
      {questions?.map((q) => (
        <li key={q.id}>
          {q.from}: {q.message} <button onClick={() => answer(q)}>Answer</button>
        </li>
      ))}
    </ul>
  );
}

createRoot(document.getElementById("root")!).render(<Inbox />);
