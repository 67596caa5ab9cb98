// What a manual is made of. Each language has one; they say the same.

/** A part of a section: a paragraph, a list, steps in order, or facts with a name. */
export type Block =
  | string
  | { list: string[] }
  | { steps: string[] }
  | { facts: [name: string, text: string][] };

/** A section of the manual. */
export interface Section {
  /** The same in every language: addresses point to it. */
  id: string;
  title: string;
  body: Block[];
}
