import { randomUUID } from 'node:crypto';
import type { Payments, PaymentsPort } from '#gateways/payments/port.ts';
import type { Database } from '#platform/db/database.ts';
import { commandOf, type Run, tappedDatabase } from './lent-database.ts';

/** Where a process died; everything that it still tries fails with the same. */
export class Died extends Error {
  override readonly name = 'Died';
}

/** Counts what a process does, and ends it at its n-th step; null for one that lives. */
export interface Fuse {
  step(what: string): void;
  dead(): boolean;
  /** what it died before or after, or its last step */
  last(): string;
  steps(): number;
}

export function fuse(at: number | null): Fuse {
  let count = 0;
  let last = 'nothing';
  let dead = false;
  return {
    step(what) {
      if (dead) throw new Died(last);
      count += 1;
      last = what;
      if (count === at) {
        dead = true;
        throw new Died(what);
      }
    },
    dead: () => dead,
    last: () => last,
    steps: () => count,
  };
}

/**
 * The database as one process sees it that dies at a step: before any statement, or after one that has made something last.
 * From then on nothing gets through, and what its connection has open is rolled back, as the server would.
 */
export function dyingDatabase(db: Database, life: Fuse): Database {
  return tappedDatabase(db, (run): Run => {
    let open = false;
    return async (text, values) => {
      const command = commandOf(text);
      if (command === 'rollback') {
        open = false;
        return run(text);
      }
      const shown = text.replace(/\s+/g, ' ').slice(0, 80);
      life.step(`before ${shown}`);
      const result = await run(text, values);
      if (command === 'begin') open = true;
      if (command === 'commit') open = false;
      if (command === 'commit' || (!open && command !== 'select')) life.step(`after ${shown}`);
      return result;
    };
  });
}

/** The providers as that process sees them: it dies before a call that then never happens, or before it hears the answer. */
export function dyingPayments(payments: Payments, life: Fuse): Payments {
  const around = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    life.step(`before ${name}`);
    const answer = await call();
    life.step(`after ${name}`);
    return answer;
  };
  return eachPort(payments, (port) => ({
    createCheckout: (...call) => around('createCheckout', () => port.createCheckout(...call)),
    getCheckout: (...call) => around('getCheckout', () => port.getCheckout(...call)),
    cancelCheckout: (...call) => around('cancelCheckout', () => port.cancelCheckout(...call)),
    refund: (...call) => around('refund', () => port.refund(...call)),
  }));
}

/** The same providers with some of their calls replaced. */
export function eachPort(
  payments: Payments,
  change: (port: PaymentsPort) => Partial<PaymentsPort>,
): Payments {
  const changed = (port: PaymentsPort): PaymentsPort => ({ ...port, ...change(port) });
  return {
    forRail: (rail) => changed(payments.forRail(rail)),
    of: (provider) => changed(payments.of(provider)),
  };
}

// What follows takes a guard away, to show that the harness sees what comes of it.

/** Providers that take every call for a new one. */
export const withoutKeys = (payments: Payments): Payments =>
  eachPort(payments, (port) => ({
    createCheckout: (request, key) => port.createCheckout(request, `${key}:${randomUUID()}`),
    refund: (request, key) => port.refund(request, `${key}:${randomUUID()}`),
  }));

/** Every statement lasts by itself. */
export const withoutTransactions = (db: Database): Database =>
  tappedDatabase(
    db,
    (run): Run =>
      (text, values) =>
        ['begin', 'commit', 'rollback'].includes(commandOf(text)) ? run('select') : run(text, values),
  );

/** Nothing that is read stays as it was read. */
export const withoutRowLocks = (db: Database): Database =>
  tappedDatabase(
    db,
    (run): Run =>
      (text, values) =>
        run(text.replace(/ for update(?: of "\w+"(?: skip locked)?|(?! skip locked))/g, ''), values),
  );
