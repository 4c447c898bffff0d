import type { PaymentErrorCode, PaymentMethod, Payments } from '#gateways/payments/port.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import type { UserActor } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';
import { withPayoutOverrides, withPortOverrides } from '#tests/support/database/crash-injection.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

/** A purchase that has begun; `ref` is set once its checkout is open. */
export interface Purchase {
  saleId: string;
  buyer: UserActor;
  method: PaymentMethod;
  ref: string | null;
}

/** A fault of the next provider call. */
export type Fault = 'down' | 'refund unheard' | 'payout unheard' | 'reversal unheard';

/** The state a history acts on. */
export interface HistoryScenario {
  saleScenario: SaleScenario;
  /** providers that fail as listed in `faults` */
  payments: Payments;
  payouts: Payouts;
  faults: Fault[];
  propertyIds: string[];
  purchases: Purchase[];
  /** unexpected errors */
  errors: string[];
}

export function createHistoryScenario(
  saleScenario: SaleScenario,
  propertyIds: string[],
  { payments, payouts }: { payments: Payments; payouts: Payouts },
): HistoryScenario {
  const faults: Fault[] = [];
  return {
    saleScenario,
    ...withFaults({ payments, payouts }, faults),
    faults,
    propertyIds,
    purchases: [],
    errors: [],
  };
}

/** Runs work that may be refused with a typed error; anything else is recorded as unexpected. */
export async function attempt(scenario: HistoryScenario, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PaymentError || error instanceof AppError) return;
    scenario.errors.push(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

function withFaults(
  { payments, payouts }: { payments: Payments; payouts: Payouts },
  faults: Fault[],
): { payments: Payments; payouts: Payouts } {
  const take = (fault: Fault) => faults[0] === fault && Boolean(faults.shift());
  const refuse = (code: PaymentErrorCode) => Promise.reject(new PaymentError(code, 'A fault of the history'));
  const maybeDown = <T>(call: () => Promise<T>) => (take('down') ? refuse('unavailable') : call());
  const maybeUnheard = <T>(fault: Fault, call: () => Promise<T>) =>
    maybeDown(async () => {
      const answer = await call();
      return take(fault) ? refuse('unavailable') : answer;
    });
  return {
    payments: withPortOverrides(payments, (port) => ({
      createCheckout: (...call) => maybeDown(() => port.createCheckout(...call)),
      getCheckout: (...call) => maybeDown(() => port.getCheckout(...call)),
      cancelCheckout: (...call) => maybeDown(() => port.cancelCheckout(...call)),
      refund: (...call) => maybeUnheard('refund unheard', () => port.refund(...call)),
    })),
    payouts: withPayoutOverrides(payouts, (port) => ({
      send: (request) => maybeUnheard('payout unheard', () => port.send(request)),
      find: (payout) => maybeDown(() => port.find(payout)),
      ...(port.reverse && {
        reverse: (...call) =>
          maybeUnheard('reversal unheard', () => port.reverse?.(...call) ?? refuse('unavailable')),
      }),
    })),
  };
}
