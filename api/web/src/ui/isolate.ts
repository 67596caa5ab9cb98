// Text of a file in the middle of a sentence.

/** What `<bdi>` is for elements: the text cannot turn the direction of what stands around it. */
export const isolated = (text: string): string => `\u2068${text.replace(/[\u2066-\u2069]/g, '')}\u2069`;
