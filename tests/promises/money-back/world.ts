import type { PaymentErrorCode, Payments, Rail } from '#gateways/payments/port.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { UserActor } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';
import { eachPort } from '#tests/support/dying-database.ts';
import type { SaleBench } from '#tests/support/sale-bench.ts';

/** A purchase that somebody has begun; `ref` once its page at the provider was seen. */
export interface Purchase {
  saleId: string;
  buyer: UserActor;
  rail: Rail;
  ref: string | null;
}

/** What goes wrong with the next calls of the providers. */
export type Fault = 'down' | 'refund unheard';

/** What a history happens to. */
export interface World {
  bench: SaleBench;
  /** providers with the faults of the history */
  payments: Payments;
  faults: Fault[];
  houses: string[];
  purchases: Purchase[];
  /** errors that no refusal explains */
  errors: string[];
}

export function worldOf(bench: SaleBench, houses: string[], payments: Payments): World {
  const faults: Fault[] = [];
  return {
    bench,
    payments: withFaults(payments, faults),
    faults,
    houses,
    purchases: [],
    errors: [],
  };
}

/** Does what may be refused with a reason, as purchases, pages and providers do; anything else is an error. */
export async function attempt(world: World, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PaymentError || error instanceof AppError) return;
    world.errors.push(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

function withFaults(payments: Payments, faults: Fault[]): Payments {
  const take = (fault: Fault) => faults[0] === fault && Boolean(faults.shift());
  const refuse = (code: PaymentErrorCode) => Promise.reject(new PaymentError(code, 'A fault of the history'));
  const maybeDown = <T>(call: () => Promise<T>) => (take('down') ? refuse('unavailable') : call());
  return eachPort(payments, (port) => ({
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
