import { useCallback, useEffect, useMemo, useState } from "react";
import { Client, type Options } from "./client.js";
import type { Question } from "./wire.js";

export interface Questions {
  /** What waits for the person, newest first; undefined until it is known. */
  questions: Question[] | undefined;
  /** Why it is not known just now. */
  error: Error | undefined;
  /** Opens the page where the person answers: there alone it is certain who does. */
  answer(question: Question): void;
  /** Looks again at once. */
  refresh(): void;
}

/** The questions that wait for the person who is signed in, live: the server tells of what is new and of what is settled. */
export function useQuestions({ url, token }: Options): Questions {
  const client = useMemo(() => new Client({ url, ...(token ? { token } : {}) }), [url, token]);
  const [questions, setQuestions] = useState<Question[]>();
  const [error, setError] = useState<Error>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = shortest;
    const follow = async () => {
      try {
        for await (const change of client.changes({ signal })) {
          const found = change ?? (await client.pending({ signal }));
          setQuestions((before) => (Array.isArray(found) ? found : changed(before ?? [], found)));
          setError(undefined);
          pause = shortest;
        }
      } catch (failure) {
        if (signal.aborted) return;
        setError(failure as Error);
        pause = Math.min(2 * pause, longest);
      }
      if (!signal.aborted) timer = setTimeout(() => void follow(), pause);
    };
    void follow();
    return () => (leave.abort(), clearTimeout(timer));
  }, [client, turn]);
  const answer = useCallback((question: Question) => void open(client.answerURL(question.id), "_blank", "noopener"), [client]);
  const refresh = useCallback(() => setTurn((n) => n + 1), []);
  return { questions, error, answer, refresh };
}

const [shortest, longest] = [500, 10_000]; // milliseconds until a lost connection is sought again

// changed is a list with one question as it stands now, newest first: ids are in the order of time.
function changed(list: Question[], one: Question): Question[] {
  const others = list.filter((q) => q.id !== one.id);
  return one.state === "settled" ? others : [...others, one].sort((a, b) => (a.id < b.id ? 1 : -1));
}
