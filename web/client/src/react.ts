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

/** The questions that wait for the person who is signed in, live. */
export function useQuestions({ url, token, every = 2000 }: Options & { every?: number }): Questions {
  const client = useMemo(() => new Client({ url, ...(token ? { token } : {}) }), [url, token]);
  const [questions, setQuestions] = useState<Question[]>();
  const [error, setError] = useState<Error>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const found = await client.pending({ signal: leave.signal });
        setQuestions((before) => (same(before, found) ? before : found));
        setError(undefined);
      } catch (failure) {
        if (!leave.signal.aborted) setError(failure as Error);
      }
      if (!leave.signal.aborted) timer = setTimeout(look, every);
    };
    void look();
    const back = () => setTurn((n) => n + 1); // from the page where one was answered
    addEventListener("focus", back);
    return () => (leave.abort(), clearTimeout(timer), removeEventListener("focus", back));
  }, [client, every, turn]);
  const answer = useCallback((question: Question) => void open(client.answerURL(question.id), "_blank", "noopener"), [client]);
  const refresh = useCallback(() => setTurn((n) => n + 1), []);
  return { questions, error, answer, refresh };
}

const same = (a: Question[] | undefined, b: Question[]) => a !== undefined && a.length === b.length && a.every((q, i) => q.id === b[i]!.id);
