import { expect } from 'vitest';
import { actOnSale } from '#features/purchases/commands/act-on-sale.ts';
import { type PartyEvent, partyEvents } from '#features/purchases/model.ts';
import { type Cells, operation } from '../../operation.ts';
import { badId, nobodys } from '../../sale-rows.ts';
import {
  expectUnmoved,
  historyOf,
  lastingSale,
  newSale,
  putBystander,
  standing,
  unhurried,
} from '../../sales.ts';
import type { Stage } from '../../stage.ts';
import type { ActorName } from '../../table.ts';

const NOTE = 'because of the roof';

/** How a sale stands after what was done to it; all else leaves it in escrow. */
const AFTER: Partial<Record<PartyEvent, string>> = {
  confirm_closing: 'completed/completed/pending Sold',
  release: 'completed/completed/pending Sold',
  agree_cancellation: 'completed/cancelled/ Active',
  cancel_sale: 'completed/cancelled/ Active',
};

const ALL = 'anything at all';
/** States in which nobody of the sale can do anything any more, or yet. */
const still = ['begun', 'open', 'submitted', 'given up', 'released', 'cancelled']
  .map((story) => `${story}: ${ALL}`)
  .map((row) => `${row}  Unauthenticated  not_now  NotFound  not_now  NotFound  NotFound  not_now`)
  .join('\n');

export const cells: Cells = {
  // Who of a sale may do what, and when (B4-T, B-076, B-077); a suspended seller only reads (B-098).
  'commands/act-on-sale#actOnSale': operation({
    cells: `
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

      with documents: deliver_documents            Unauthenticated  not_yours              NotFound  already_delivered      NotFound  NotFound   already_delivered
      with documents: confirm_closing              Unauthenticated  allowed                NotFound  not_yours              NotFound  NotFound   not_yours

      with a problem: deliver_documents            Unauthenticated  not_yours              NotFound  problem_open           NotFound  NotFound   problem_open
      with a problem: confirm_closing              Unauthenticated  problem_open           NotFound  not_yours              NotFound  NotFound   not_yours
      with a problem: release                      Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   problem_open
      with a problem: cancel_sale                  Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   allowed
      with a problem: report_problem               Unauthenticated  problem_open           NotFound  problem_open           NotFound  NotFound   not_yours
      with a problem: resolve_problem              Unauthenticated  not_yours              NotFound  not_yours              NotFound  NotFound   allowed

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
      ${still}
      ${nobodys(...['unknown id', 'no id at all', 'id in upper case'].map((id) => `${id}: confirm_closing`))}
    `,
    async prepare({ stage, actor, row }) {
      await putBystander(stage);
      const [named = '', event = ''] = row.split(': ');
      const story = named.replace('B’s of the suspended, ', '');
      const who = story === named ? {} : ({ buyer: 'buyerB', seller: 'suspended' } as const);
      const { buyer = 'buyerA', seller = 'sellerA' }: { buyer?: ActorName; seller?: ActorName } = who;
      const bad = /\bid\b/.test(named);
      const may = !bad && event !== ALL && [buyer, seller, 'admin'].includes(actor);
      const sale = await (may ? newSale : lastingSale)(stage, bad ? 'in escrow' : story, who);
      return { ...sale, id: badId({ row: named }, sale.saleId) ?? sale.saleId, event: event as PartyEvent };
    },
    async act(ctx, { id, event }, { row }) {
      const events = row.endsWith(ALL) ? partyEvents : [event];
      const results = await oneByOne(events, (one) =>
        actOnSale(unhurried(ctx), { saleId: id, event: one, note: ` ${NOTE} ` }),
      );
      const [first] = results;
      for (const result of results) expect(result).toEqual(first);
      if (first?.status === 'rejected') throw first.reason;
      return first?.value;
    },
    // That a refusal has changed nothing at all is asserted of every cell.
    async holds(_, sale, { stage, actor, word }) {
      if (word !== 'allowed') return;
      const { event, saleId } = sale;
      await expectUnmoved(stage);
      expect(await standing(stage, sale)).toBe(AFTER[event] ?? 'completed/in_escrow/ escrow');
      const role = actor === 'admin' ? 'admin' : actor.startsWith('buyer') ? 'buyer' : 'seller';
      const { id: who } = stage.person(actor);
      expect((await historyOf(stage, sale)).at(-1)).toEqual({ event, role, who, note: NOTE });
      expect(await wishesOf(stage, saleId)).toMatchObject(wished(event, who));
    },
  }),
};

/** What comes of each, done in turn. */
async function oneByOne<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: PromiseSettledResult<Result>[] = [];
  for (const item of items) results.push(...(await Promise.allSettled([work(item)])));
  return results;
}

/** Money that is to go back, and problems that are open, with who asked for them. */
async function wishesOf({ db }: Stage, saleId: string) {
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

const wished = (event: PartyEvent, who: string) => ({
  refunds:
    event === 'agree_cancellation' || event === 'cancel_sale'
      ? [{ requested_by: who, status: 'pending' }]
      : [],
  ...(event !== 'confirm_closing' && {
    problems: event === 'report_problem' ? [{ opened_by: who, reason: NOTE }] : [],
  }),
});
