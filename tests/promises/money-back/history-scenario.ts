import type { PaymentErrorCode, PaymentMethod, Payments } from '#gateways/payments/port.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { UserActor } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';
import { withPortOverrides } from '#tests/support/database/crash-injection.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

/** A purchase that has begun; `ref` is set once its checkout is open. */
export interface Purchase {
  saleId: string;
  buyer: UserActor;
  method: PaymentMethod;
  ref: string | null;
}

/** A fault of the next provider call. */
export type Fault = 'down' | 'refund unheard';

/** The state a history acts on. */
export interface HistoryScenario {
  bench: SaleScenario;
  /** providers that fail as listed in `faults` */
  payments: Payments;
  faults: Fault[];
  propertyIds: string[];
  purchases: Purchase[];
  /** unexpected errors */
  errors: string[];
}

export function createHistoryScenario(
  bench: SaleScenario,
  propertyIds: string[],
  payments: Payments,
): HistoryScenario {
  const faults: Fault[] = [];
  return {
    bench,
    payments: withFaults(payments, faults),
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

function withFaults(payments: Payments, faults: Fault[]): Payments {
  const take = (fault: Fault) => faults[0] === fault && Boolean(faults.shift());
  const refuse = (code: PaymentErrorCode) => Promise.reject(new PaymentError(code, 'A fault of the history'));
  const maybeDown = <T>(call: () => Promise<T>) => (take('down') ? refuse('unavailable') : call());
  return withPortOverrides(payments, (port) => ({
    createCheckout: (...call) => maybeDown(() => port.createCheckout(...call)),
    getCheckout: (...call) => maybeDown(() => port.getCheckout(...call)),
    cancelCheckout: (...call) => maybeDown(() => port.cancelCheckout(...call)),
    refund: (...call) =>
      maybeDown(async () => {
        const answer = await port.refund(...call);
        return take('refund unheard') ? refuse('unavailable') : answer;
      }),
  }));
}
