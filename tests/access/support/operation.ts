import type { Ctx } from '#platform/context.ts';
import type { ActorName } from './access-table.ts';
import type { Scenario } from './scenario.ts';

/** One cell of an operation's table: who acts, on what, in which scenario. */
export interface Cell {
  scenario: Scenario;
  actor: ActorName;
  /** the row's name: what is acted on */
  row: string;
}

/**
 * An operation and its table of cells. A cell holds the name of the error thrown (Unauthenticated, Forbidden, NotFound), the
 * reason of a typed refusal, or what `outcomeOf` derives from the result ('allowed' by default).
 */
export interface Operation<Target = unknown, Result = unknown> {
  /** see `readTable` */
  cells: string;
  /** creates what the operation acts on; what does not depend on the actor is shared by cells as long as none changes anything */
  prepare?(cell: Cell): Promise<Target>;
  act(ctx: Ctx, thing: Target, cell: Cell): Promise<Result>;
  outcomeOf?(result: Result, thing: Target, cell: Cell): string | Promise<string>;
  /** why an allowed change writes no audit row; without a reason it must */
  unaudited?: string;
  /** whether an outcome may change data; by default every outcome from `outcomeOf` may, otherwise only 'allowed' */
  mayChange?(outcome: string): boolean;
  /** asserts on the result and on what has and has not changed; the result is undefined when the operation threw */
  verify?(result: Result | undefined, thing: Target, cell: Cell & { outcome: string }): void | Promise<void>;
}

/** The operations of a feature by `<file>#<function>`, e.g. `reads#listingDetail` or `commands/sign-in#signIn`. */
export type Cells = Record<string, Operation>;

/** Type-checks one operation before it is stored among others with different types. */
export const operation = <Target, Result>(definition: Operation<Target, Result>): Operation =>
  definition as unknown as Operation;

/** The default outcome of a result: a typed refusal's reason, otherwise 'allowed'. */
export function defaultOutcome(result: unknown): string {
  if (typeof result !== 'object' || result === null || !('ok' in result) || result.ok !== false)
    return 'allowed';
  if ('reason' in result) return String(result.reason);
  if ('refusal' in result) return String(result.refusal);
  if ('status' in result) return String(result.status);
  return 'errors' in result ? 'invalid' : 'refused';
}
