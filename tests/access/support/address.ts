import type { HttpResponse } from '#tests/support/server/http-request.ts';
import type { ActorName } from './access-table.ts';
import type { AppRequest, TestApp } from './test-app.ts';

/** One cell of an address's table while it runs. */
export interface AddressCell {
  app: TestApp;
  actor: ActorName;
  row: string;
}

/**
 * An address and its table of cells. A row starts with the method; `GET .data` is what client-side navigation requests. A
 * cell holds the status, for redirects followed by the name in `to` of the target.
 */
export interface Address {
  /** see `readTable` */
  cells: string;
  /** redirect targets by name: a path, or a prefix followed by a star */
  to?: Record<string, string>;
  /** whether a row is sent to the server that has the payment sandbox; the default one has no payment provider at all */
  sandbox?: boolean | ((row: string) => boolean);
  /** builds the request of a row, where method and address alone are not enough */
  request?(cell: AddressCell): Promise<AppRequest & { path?: string }>;
  /** appears in the body of every GET with status 200, and of no other */
  secret?: string | ((cell: AddressCell) => string);
  /** the page shows who is signed in, and mentions no other user */
  personal?: boolean;
  verify?(answer: HttpResponse, cell: AddressCell): void | Promise<void>;
}

/** By URL pattern, as in routes.ts and endpoints.ts. */
export type Addresses = Record<string, Address>;

/** The outcome of a response, as written in a cell. */
export function outcomeOf(answer: HttpResponse, to: Record<string, string> = {}): string {
  const { status, headers, text } = answer;
  const location = headers.location;
  if (location !== undefined) {
    const path = location.replace(/^https?:\/\/localhost:\d+(?=\/)/, '');
    const fits = ([, target = '']: string[]) =>
      target.endsWith('*') ? path.startsWith(target.slice(0, -1)) : target === path;
    return `${status} ${Object.entries(to).find(fits)?.[0] ?? location}`;
  }
  if (status !== 202) return String(status);
  // A redirect encoded for the client-side router.
  const encoded = (path: string) => JSON.stringify(path).replace(/\*"$/, '');
  const target = Object.entries(to).find(([, path]) => text.includes(encoded(path)));
  return `${status} ${target?.[0] ?? text}`;
}

/** A path that fits a pattern and names nothing that exists. */
export const examplePath = (pattern: string) =>
  pattern
    .replace(':id', '00000000-0000-4000-8000-000000000000')
    .replace(':ref', 'cs_test_nothing')
    .replace(':token', 'nothing')
    .replace(':shard', '00.xml')
    .replace(':file', 'nothing.pdf')
    .replace(':resource', 'Property')
    .replace('*', 'nothing');
