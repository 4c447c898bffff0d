import { randomInt, randomUUID } from 'node:crypto';
import type { FileStore } from '#gateways/files/port.ts';
import type { Payments, PaymentsPort } from '#gateways/payments/port.ts';
import type { PayoutOnboarding, Payouts, PayoutsPort } from '#gateways/payouts/port.ts';
import type { Database } from '#platform/db/database.ts';
import { commandOf, databaseWithInterceptor, type RunQuery } from './query-interception.ts';

/** A simulated crash; everything that the process tries afterwards fails with it too. */
export class SimulatedCrash extends Error {
  override readonly name = 'Died';
}

/** Whether an error says of nothing but a simulated crash, as its cause or of several things that were to be done. */
export const isSimulatedCrash = (error: unknown): boolean =>
  error instanceof SimulatedCrash ||
  (error instanceof AggregateError && error.errors.every(isSimulatedCrash)) ||
  (error instanceof Error && isSimulatedCrash(error.cause));

/** Counts the steps of a process and crashes it at the n-th one; `null` for a process that does not crash. */
export interface CrashInjector {
  step(what: string): void;
  crashed(): boolean;
  /** the step of the crash, or the last step so far */
  lastStep(): string;
  stepCount(): number;
  /** all steps so far */
  steps(): readonly string[];
}

export function createCrashInjector(at: number | null): CrashInjector {
  const steps: string[] = [];
  let crashed = false;
  return {
    step(what) {
      if (crashed) throw new SimulatedCrash(steps.at(-1) ?? 'nothing');
      steps.push(what);
      if (steps.length === at) {
        crashed = true;
        throw new SimulatedCrash(what);
      }
    },
    crashed: () => crashed,
    lastStep: () => steps.at(-1) ?? 'nothing',
    stepCount: () => steps.length,
    steps: () => steps,
  };
}

/**
 * The database as seen by a process that crashes at a step: before any statement, or after one that persisted a change.
 * After that nothing gets through, and the open transaction is rolled back, as the server would do.
 */
export function crashingDatabase(db: Database, injector: CrashInjector): Database {
  return databaseWithInterceptor(db, (run): RunQuery => {
    let open = false;
    return async (text, values) => {
      const command = commandOf(text);
      if (command === 'rollback') {
        open = false;
        return run(text);
      }
      const summary = text.replace(/\s+/g, ' ').slice(0, 80);
      injector.step(`before ${summary}`);
      const result = await run(text, values);
      if (command === 'begin') open = true;
      if (command === 'commit') open = false;
      if (command === 'commit' || (!open && command !== 'select')) injector.step(`after ${summary}`);
      return result;
    };
  });
}

/** Runs a call as a step before it, and one after it but before the response arrives. */
type WithSteps = <T>(name: string, call: () => Promise<T>) => Promise<T>;

const stepsOf =
  (injector: CrashInjector): WithSteps =>
  async (name, call) => {
    injector.step(`before ${name}`);
    const answer = await call();
    injector.step(`after ${name}`);
    return answer;
  };

/** The payment providers as seen by that process: it crashes before a call, or after it but before the response arrives. */
export function crashingPayments(payments: Payments, injector: CrashInjector): Payments {
  const withSteps = stepsOf(injector);
  return withPortOverrides(payments, (port) => ({
    createCheckout: (...call) => withSteps('createCheckout', () => port.createCheckout(...call)),
    getCheckout: (...call) => withSteps('getCheckout', () => port.getCheckout(...call)),
    cancelCheckout: (...call) => withSteps('cancelCheckout', () => port.cancelCheckout(...call)),
    refund: (...call) => withSteps('refund', () => port.refund(...call)),
    ...(port.submitEvidence && {
      submitEvidence: (...call) =>
        withSteps('submitEvidence', () => port.submitEvidence?.(...call) ?? Promise.reject(new Error())),
    }),
  }));
}

/** The store of files as seen by that process. */
export function crashingFiles(files: FileStore, injector: CrashInjector): FileStore {
  const withSteps = stepsOf(injector);
  return {
    ...files,
    put: (file) => withSteps('put', () => files.put(file)),
    delete: (key) => withSteps('delete', () => files.delete(key)),
  };
}

/** The payout providers as seen by that process, with their onboarding of sellers. */
export function crashingPayouts(payouts: Payouts, injector: CrashInjector): Payouts {
  const withSteps = stepsOf(injector);
  return withPayoutOverrides(payouts, (port) => ({
    send: (request) => withSteps('send', () => port.send(request)),
    find: (payout) => withSteps('find', () => port.find(payout)),
    ...(port.reverse && {
      reverse: (...call) =>
        withSteps('reverse', () => port.reverse?.(...call) ?? Promise.reject(new Error())),
    }),
    ...(port.onboarding && { onboarding: crashingOnboarding(port.onboarding, withSteps) }),
  }));
}

const crashingOnboarding = (onboarding: PayoutOnboarding, withSteps: WithSteps): PayoutOnboarding => ({
  create: (...call) => withSteps('create', () => onboarding.create(...call)),
  link: (...call) => withSteps('link', () => onboarding.link(...call)),
  state: (ref) => withSteps('state', () => onboarding.state(ref)),
  loginLink: (ref) => withSteps('loginLink', () => onboarding.loginLink(ref)),
});

/** The same payout providers with some of their methods replaced. */
export function withPayoutOverrides(
  payouts: Payouts,
  change: (port: PayoutsPort) => Partial<PayoutsPort>,
): Payouts {
  const changed = (port: PayoutsPort): PayoutsPort => ({ ...port, ...change(port) });
  return {
    forMethod(method) {
      const port = payouts.forMethod(method);
      return port && changed(port);
    },
    of: (provider, bound) => changed(payouts.of(provider, bound)),
  };
}

/** The same providers with some of their methods replaced. */
export function withPortOverrides(
  payments: Payments,
  change: (port: PaymentsPort) => Partial<PaymentsPort>,
): Payments {
  const changed = (port: PaymentsPort): PaymentsPort => ({ ...port, ...change(port) });
  return {
    forMethod: (method, totalCents) => changed(payments.forMethod(method, totalCents)),
    of: (provider, bound) => changed(payments.of(provider, bound)),
  };
}

// The following variants remove a safeguard, to prove that the tests notice its absence.

/** Providers that treat every call as new, as if there were no idempotency keys. */
export const withoutIdempotencyKeys = (payments: Payments): Payments =>
  withPortOverrides(payments, (port) => ({
    createCheckout: (request, key) => port.createCheckout(request, `${key}:${randomUUID()}`),
    refund: (request, key) => port.refund(request, `${key}:${randomUUID()}`),
  }));

/** Every statement commits by itself. */
export const withoutTransactions = (db: Database): Database =>
  databaseWithInterceptor(
    db,
    (run): RunQuery =>
      (text, values) =>
        ['begin', 'commit', 'rollback'].includes(commandOf(text)) ? run('select') : run(text, values),
  );

/** Rows that were read are not locked. */
export const withoutRowLocks = (db: Database): Database =>
  databaseWithInterceptor(
    db,
    (run): RunQuery =>
      (text, values) =>
        run(text.replace(/ for update(?: of "\w+"(?: skip locked)?|(?! skip locked))/g, ''), values),
  );

/** Payout providers that treat every payout as another attempt. */
export const withoutPayoutKeys = (payouts: Payouts): Payouts =>
  withPayoutOverrides(payouts, (port) => ({
    async send(request) {
      const key = request.key.replace(/\d+$/, String(randomInt(1_000, 999_999)));
      return { ...(await port.send({ ...request, key })), key: request.key };
    },
  }));
