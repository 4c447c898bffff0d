import { expect } from 'vitest';
import { type PartyEvent, partyEvents } from '#features/sales/model.ts';
import { type ActorName, UNPROVEN } from '../../support/access-table.ts';
import { type Cells, operation } from '../../support/operation.ts';
import {
  act,
  addUnrelatedSale,
  expectUnrelatedSaleUnchanged,
  historyOf,
  newSale,
  paymentsFor,
  saleState,
  sharedSale,
  withoutRateLimits,
} from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { badId, notFoundRows } from '../../support/table-rows.ts';

const NOTE = 'because of the roof';

/** The state of a sale after each event; all others leave it in escrow. */
const AFTER: Partial<Record<PartyEvent, string>> = {
  confirm_closing: 'completed/completed/pending Sold',
  release: 'completed/completed/pending Sold',
  agree_cancellation: 'completed/cancelled/ Active',
  cancel_sale: 'completed/cancelled/ Active',
  cancel_undelivered: 'completed/cancelled/ Active',
};

const MOVES_MONEY: readonly PartyEvent[] = ['release', 'cancel_sale'];
const ANY_EVENT = 'anything at all';
/** States in which no party can do anything yet, or anymore. */
const inactiveRows = ['begun', 'open', 'submitted', 'given up', 'released', 'cancelled']
  .map((state) => `${state}: ${ANY_EVENT}`)
  .map((row) => `${row}  Unauthenticated  not_now  NotFound  not_now  NotFound  NotFound  not_now`)
  .join('\n');

/** Without a fresh proof an administrator can do the same, but move money. */
const withUnproven = (table: string): string =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      if (index === 0) return `${line}  ${UNPROVEN}`;
      const admin =
        line
          .trim()
          .split(/\s{2,}/)
          .at(-1) ?? '';
      const movesMoney = admin === 'allowed' && /: (?:release|cancel_sale)\b/.test(line);
      return `${line}  ${movesMoney ? 'ProofRequired' : admin}`;
    })
    .join('\n');

export const cells: Cells = {
  // Which party may do what, and in which state; a suspended seller has read access only.
  'commands/act-on-sale#actOnSale': operation({
    cells: withUnproven(`
                                                   anonymous        buyerA                 buyerB    sellerA                sellerB   suspended  admin
      in escrow: deliver_documents                 Unauthenticated  not_yours              NotFound  allowed                NotFound  NotFound   allowed
      in escrow: confirm_closing                   Unauthenticated  allowed                NotFound  not_yours              NotFound  NotFound   not_yours
      in escrow: release                           Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   allowed
      in escrow: request_cancellation              Unauthenticated  allowed                NotFound  allowed                NotFound  NotFound   not_yours
      in escrow: decline_cancellation              Unauthenticated  no_cancellation_asked  NotFound  no_cancellation_asked  NotFound  NotFound   no_cancellation_asked
      in escrow: agree_cancellation                Unauthenticated  no_cancellation_asked  NotFound  no_cancellation_asked  NotFound  NotFound   not_yours
      in escrow: cancel_sale                       Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   allowed
      in escrow: report_problem                    Unauthenticated  allowed                NotFound  allowed                NotFound  NotFound   not_yours
      in escrow: resolve_problem                   Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   no_problem_open
      in escrow: withdraw_problem                  Unauthenticated  no_problem_open        NotFound  no_problem_open        NotFound  NotFound   not_yours
      in escrow: cancel_undelivered                Unauthenticated  not_due                NotFound  not_yours              NotFound  NotFound   not_yours

      overdue: cancel_undelivered                  Unauthenticated  allowed                NotFound  not_yours              NotFound  NotFound   not_yours
      overdue: deliver_documents                   Unauthenticated  not_yours              NotFound  allowed                NotFound  NotFound   allowed
      overdue with documents: cancel_undelivered   Unauthenticated  already_delivered      NotFound  not_yours              NotFound  NotFound   not_yours

      with documents: deliver_documents            Unauthenticated  not_yours              NotFound  already_delivered      NotFound  NotFound   already_delivered
      with documents: confirm_closing              Unauthenticated  allowed                NotFound  not_yours              NotFound  NotFound   not_yours

      with a problem: deliver_documents            Unauthenticated  not_yours              NotFound  problem_open           NotFound  NotFound   problem_open
      with a problem: confirm_closing              Unauthenticated  problem_open           NotFound  not_yours              NotFound  NotFound   not_yours
      with a problem: release                      Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   problem_open
      with a problem: cancel_sale                  Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   allowed
      with a problem: report_problem               Unauthenticated  problem_open           NotFound  problem_open           NotFound  NotFound   not_yours
      with a problem: resolve_problem              Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   allowed
      with a problem: withdraw_problem             Unauthenticated  allowed                NotFound  reported_by_other      NotFound  NotFound   not_yours

      buyer wants out: agree_cancellation          Unauthenticated  asked_by_yourself      NotFound  allowed                NotFound  NotFound   not_yours
      buyer wants out: decline_cancellation        Unauthenticated  allowed                NotFound  allowed                NotFound  NotFound   allowed
      buyer wants out: request_cancellation        Unauthenticated  already_asked          NotFound  already_asked          NotFound  NotFound   not_yours
      buyer wants out: confirm_closing             Unauthenticated  cancellation_asked     NotFound  not_yours              NotFound  NotFound   not_yours
      buyer wants out: deliver_documents           Unauthenticated  not_yours              NotFound  cancellation_asked     NotFound  NotFound   cancellation_asked
      buyer wants out: release                     Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   allowed
      seller wants out: agree_cancellation         Unauthenticated  allowed                NotFound  asked_by_yourself      NotFound  NotFound   not_yours
      seller wants out: decline_cancellation       Unauthenticated  allowed                NotFound  allowed                NotFound  NotFound   allowed
      seller wants out: confirm_closing            Unauthenticated  cancellation_asked     NotFound  not_yours              NotFound  NotFound   not_yours

      frozen: deliver_documents                    Unauthenticated  not_yours              NotFound  frozen                 NotFound  NotFound   frozen
      frozen: confirm_closing                      Unauthenticated  frozen                 NotFound  not_yours              NotFound  NotFound   not_yours
      frozen: release                              Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   frozen
      frozen: cancel_sale                          Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   frozen
      frozen: report_problem                       Unauthenticated  allowed                NotFound  allowed                NotFound  NotFound   not_yours

      B’s of the suspended, in escrow: deliver_documents     Unauthenticated  NotFound  not_yours  NotFound  NotFound  not_yours  allowed
      B’s of the suspended, in escrow: confirm_closing       Unauthenticated  NotFound  allowed    NotFound  NotFound  not_yours  not_yours
      B’s of the suspended, in escrow: request_cancellation  Unauthenticated  NotFound  allowed    NotFound  NotFound  not_yours  not_yours
      B’s of the suspended, in escrow: report_problem        Unauthenticated  NotFound  allowed    NotFound  NotFound  not_yours  not_yours
      B’s of the suspended, buyer wants out: agree_cancellation  Unauthenticated  NotFound  asked_by_yourself  NotFound  NotFound  not_yours  not_yours
      ${inactiveRows}
      ${notFoundRows(...['unknown id', 'no id at all', 'id in upper case'].map((id) => `${id}: confirm_closing`))}
    `),
    async prepare({ scenario, actor, row }) {
      await addUnrelatedSale(scenario);
      const [saleLabel = '', event = ''] = row.split(': ');
      const state = saleLabel.replace('B’s of the suspended, ', '');
      const who = state === saleLabel ? {} : ({ buyer: 'buyerB', seller: 'suspended' } as const);
      const { buyer = 'buyerA', seller = 'sellerA' }: { buyer?: ActorName; seller?: ActorName } = who;
      const bad = /\bid\b/.test(saleLabel);
      const may = !bad && event !== ANY_EVENT && [buyer, seller, 'admin', UNPROVEN].includes(actor);
      const sale = await (may ? newSale : sharedSale)(scenario, bad ? 'in escrow' : state, who);
      return {
        ...sale,
        id: badId({ row: saleLabel }, sale.saleId) ?? sale.saleId,
        event: event as PartyEvent,
      };
    },
    async act(ctx, { id, event }, { row, actor, scenario }) {
      const possible =
        actor === 'unproven' ? partyEvents.filter((one) => !MOVES_MONEY.includes(one)) : partyEvents;
      const events = row.endsWith(ANY_EVENT) ? possible : [event];
      const results = await inSequence(events, (one) =>
        act(
          { ...withoutRateLimits(ctx), payments: paymentsFor(scenario) },
          { saleId: id, event: one, note: ` ${NOTE} ` },
        ),
      );
      const [first] = results;
      for (const result of results) expect(result).toEqual(first);
      if (first?.status === 'rejected') throw first.reason;
      return first?.value;
    },
    // The matrix itself asserts that a refusal changes nothing.
    async verify(_, sale, { scenario, actor, outcome }) {
      if (outcome !== 'allowed') return;
      const { event, saleId } = sale;
      await expectUnrelatedSaleUnchanged(scenario);
      expect(await saleState(scenario, sale)).toBe(AFTER[event] ?? 'completed/in_escrow/ escrow');
      const role =
        actor === 'admin' || actor === UNPROVEN ? 'admin' : actor.startsWith('buyer') ? 'buyer' : 'seller';
      const { id: who } = scenario.person(actor);
      expect((await historyOf(scenario, sale)).at(-1)).toEqual({ event, role, who, note: NOTE });
      expect(await refundsAndProblemsOf(scenario, saleId)).toMatchObject(
        expectedRefundsAndProblems(event, who),
      );
    },
  }),
};

/** Runs the work for each item in sequence and returns the results. */
async function inSequence<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: PromiseSettledResult<Result>[] = [];
  for (const item of items) results.push(...(await Promise.allSettled([work(item)])));
  return results;
}

/** Requested refunds and open problems of a sale, with who requested them. */
async function refundsAndProblemsOf({ db }: Scenario, saleId: string) {
  const q = db.q();
  const [refunds, problems] = await Promise.all([
    q.selectFrom('refunds').select(['requested_by', 'status']).where('sale_id', '=', saleId).execute(),
    q
      .selectFrom('disputes')
      .select(['opened_by', 'reason'])
      .where('sale_id', '=', saleId)
      .where('status', '=', 'open')
      .execute(),
  ]);
  return { refunds, problems };
}

const expectedRefundsAndProblems = (event: PartyEvent, who: string) => ({
  refunds:
    event === 'agree_cancellation' || event === 'cancel_sale' || event === 'cancel_undelivered'
      ? [{ requested_by: who, status: 'pending' }]
      : [],
  ...(event !== 'confirm_closing' && {
    problems: event === 'report_problem' ? [{ opened_by: who, reason: NOTE }] : [],
  }),
});
