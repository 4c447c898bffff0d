import type { Ctx } from '#platform/context.ts';
import type { Stage } from './stage.ts';
import type { ActorName } from './table.ts';

/** One cell being played: who does it, to what, on which stage. */
export interface Cell {
  stage: Stage;
  actor: ActorName;
  /** the row's name: the thing it is done to */
  row: string;
}

/**
 * An operation and its cells. A cell's word is the name of the error thrown (Unauthenticated, Forbidden, NotFound), the
 * reason of a typed refusal, or what `says` makes of the answer ('allowed' unless the operation says more).
 */
export interface Operation<Thing = unknown, Result = unknown> {
  /** see `readTable` */
  cells: string;
  /** makes what the operation is done to, anew for each cell */
  prepare?(cell: Cell): Promise<Thing>;
  act(ctx: Ctx, thing: Thing, cell: Cell): Promise<Result>;
  says?(result: Result, thing: Thing, cell: Cell): string | Promise<string>;
  /** whether a word may leave something changed; without it every answer that `says` words may, and else 'allowed' alone */
  changes?(word: string): boolean;
  /** asserts what an answer contains and what has changed, and for whom it has not; no result when it threw */
  holds?(result: Result | undefined, thing: Thing, cell: Cell & { word: string }): void | Promise<void>;
  /** plays several cells together: each stands on its own and takes long */
  atOnce?: boolean;
}

/** The operations of a feature by `<file>#<function>`, such as `reads#listingDetail` and `commands/sign-in#signIn`. */
export type Cells = Record<string, Operation>;

/** Keeps the types of one operation together while it stands among others. */
export const operation = <Thing, Result>(one: Operation<Thing, Result>): Operation =>
  one as unknown as Operation;

/** The word of an answer: a typed refusal's reason, else 'allowed'. */
export function wordOf(result: unknown): string {
  if (typeof result !== 'object' || result === null || !('ok' in result) || result.ok !== false)
    return 'allowed';
  if ('reason' in result) return String(result.reason);
  if ('status' in result) return String(result.status);
  return 'errors' in result ? 'invalid' : 'refused';
}
