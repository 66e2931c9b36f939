// What came of something that the person did, where they did it.

import { html, type LitElement, type TemplateResult } from "lit";

export interface Note {
  at: string; // which of the places that can show one
  text: string;
  bad: boolean;
}

// noteAt is a place for a note. It is there before there is anything to say, so that what it says is read out.
export function noteAt(note: Note | undefined, at: string, id = ""): TemplateResult {
  const here = note?.at === at && note.text !== "" ? note : undefined;
  return html`<div class="note" id=${id || `note-${at}`}>
    <div role="status">${here && !here.bad ? html`<p class="notice">${here.text}</p>` : ""}</div>
    ${here?.bad ? html`<p class="problem" role="alert">${here.text}</p>` : ""}
  </div>`;
}

// reveal brings what a part says to where somebody looks.
export async function reveal(part: LitElement): Promise<void> {
  await part.updateComplete;
  part.renderRoot.querySelector(".note p")?.scrollIntoView({ block: "nearest" });
}
