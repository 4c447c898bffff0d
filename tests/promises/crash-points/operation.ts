import type { FileStore } from '#gateways/files/port.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import type { Actor, Ctx } from '#platform/context.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

/** The dependencies of one of our processes. */
export interface Process {
  as(actor: Actor): Ctx;
  system: Ctx;
  payments: Payments;
  payouts: Payouts;
  files: FileStore;
}

/** The starting point: a property, and the purchase the operation is about. */
export interface Setup {
  propertyId: string;
  saleId: string;
  ref: string;
}

/** An operation whose crash points are all tried. */
export interface Operation {
  name: string;
  prepare(scenario: SaleScenario): Promise<Setup>;
  /** the request, message or timer tick; repeated after a crash */
  run(process: Process, scenario: SaleScenario, setup: Setup): Promise<unknown>;
}
