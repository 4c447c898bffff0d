import type { Answer } from '#tests/support/ask.ts';
import type { Call, House } from './house.ts';
import type { ActorName } from './table.ts';

/** One cell of an address being played. */
export interface Visit {
  house: House;
  actor: ActorName;
  row: string;
}

/**
 * An address and its cells. A row's first word is the method; `GET .data` is what a navigation in the browser asks. A
 * cell's word is the status, for redirects followed by the name in `to` of where they lead.
 */
export interface Address {
  /** see `readTable` */
  cells: string;
  /** a path, or its beginning before a star */
  to?: Record<string, string>;
  /** asked at the house that keeps a sandbox in place of payment providers; the other one has none at all */
  sandbox?: boolean;
  /** the request of a row, where method and address alone do not say it */
  asks?(visit: Visit): Promise<Call & { path?: string }>;
  /** stands in the body of every GET that answers 200, and in no other answer's */
  secret?: string | ((visit: Visit) => string);
  /** the page says who is signed in, and names nobody else */
  personal?: boolean;
  holds?(answer: Answer, visit: Visit): void | Promise<void>;
}

/** By the pattern of the address, as routes.ts and endpoints.ts have it. */
export type Addresses = Record<string, Address>;

/** The same word for everybody. */
export const all = (...rows: [row: string, word: string][]) => `
  anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
  ${rows.map(([row, word]) => `${row}${`  ${word}`.repeat(7)}`).join('\n')}
`;

/** The word of an answer. */
export function wordOf(answer: Answer, to: Record<string, string> = {}): string {
  const { status, headers, text } = answer;
  const location = headers.location;
  if (location !== undefined) {
    const path = location.replace(/^https?:\/\/localhost:\d+(?=\/)/, '');
    const fits = ([, target = '']: string[]) =>
      target.endsWith('*') ? path.startsWith(target.slice(0, -1)) : target === path;
    return `${status} ${Object.entries(to).find(fits)?.[0] ?? location}`;
  }
  if (status !== 202) return String(status);
  // A redirect told to the browser's router.
  const told = (path: string) => JSON.stringify(path).replace(/\*"$/, '');
  const target = Object.entries(to).find(([, path]) => text.includes(told(path)));
  return `${status} ${target?.[0] ?? text}`;
}
