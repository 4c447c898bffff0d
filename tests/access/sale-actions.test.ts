import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminPaths } from '#routing/admin-paths.ts';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { giveAuthenticator } from '#tests/support/fixtures/users.ts';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import { actors } from './support/access-table.ts';
import {
  bankRefundSale,
  differingSale,
  disputedSale,
  foreignSale,
  owedRefundSale,
  refundedAtProvider,
  stuckRefundSale,
} from './support/problem-sales.ts';
import { historyOf, newSale, type SaleFixture, saleState } from './support/sales.ts';
import type { Scenario } from './support/scenario.ts';
import { type AppRequest, startTestApp, type TestApp } from './support/test-app.ts';

type Subject = SaleFixture & { disputeId?: string; refundId?: string };
type Making = (scenario: Scenario) => Promise<Subject>;

/** An act of the drawer: on which sale it is possible, what comes of it, and how it is refused. */
interface Trial {
  on: Making;
  /** besides the reason */
  fields?: (sale: Subject) => Record<string, string>;
  /** 'payment/escrow/payout property' afterwards */
  becomes: string;
  /** the toast's title */
  done: string;
  /** a sale with which it is not possible, and why; the words for the second of two tabs as well, unless `again` differs */
  refused: { on: Making; text: string };
  again?: string;
  /** what the history calls it; null for what the history of the sale does not have */
  event?: string | null;
  /** moves money, which an administrator's stolen session must not */
  needsProof: boolean;
}

const sale =
  (state: string): Making =>
  (scenario) =>
    newSale(scenario, state);
const decided: Making = async (scenario) => {
  const disputed = await disputedSale(scenario);
  await scenario.db
    .q()
    .updateTable('disputes')
    .set({ status: 'lost', closed_at: new Date() })
    .where('id', '=', disputed.disputeId)
    .execute();
  return disputed;
};

const PAID = 'completed/in_escrow/ escrow';
const RETURNED = 'completed/cancelled/ Active';
const CHANGED =
  'The sale has changed in the meantime, and this is no longer possible. You see its current state.';
const FROZEN = 'This sale is frozen until an open question is settled.';
const DECIDED = 'This payment has been decided in the meantime. You see the current state.';
const OWN = 'Another administrator has to decide about your own purchase.';
const NO_REASON = 'Please give a reason.';
const dispute = ({ disputeId = '' }: Subject) => ({ dispute: disputeId });
const ANSWERED = 'This dispute has been answered or accepted in the meantime. You see the current state.';

const trials: Record<string, Trial> = {
  release: {
    on: sale('in escrow'),
    becomes: 'completed/completed/pending Sold',
    done: 'Escrow released',
    refused: {
      on: sale('with a problem'),
      text: 'A problem has been reported. It has to be settled first.',
    },
    again: CHANGED,
    needsProof: true,
  },
  cancel_sale: {
    on: sale('in escrow'),
    becomes: RETURNED,
    done: 'Sale cancelled',
    refused: { on: sale('frozen'), text: FROZEN },
    again: CHANGED,
    needsProof: true,
  },
  refund: {
    on: sale('in escrow'),
    fields: ({ saleId }) => ({ base: '5.00', key: `ordered:${saleId}:0` }),
    becomes: PAID,
    done: 'Refund ordered',
    refused: { on: sale('frozen'), text: FROZEN },
    event: 'request_refund',
    needsProof: true,
  },
  withdraw_refund: {
    on: stuckRefundSale,
    fields: ({ refundId = '' }) => ({ refund: refundId }),
    becomes: PAID,
    done: 'Refund withdrawn',
    refused: {
      on: owedRefundSale,
      text: 'The buyer is owed this refund, so it cannot be withdrawn. If the provider does not send it, pay it from your bank.',
    },
    again: 'This refund has been sent, or has ended, in the meantime. You see the current state.',
    needsProof: true,
  },
  return_bank_refund: {
    on: bankRefundSale,
    fields: ({ refundId = '' }) => ({ refund: refundId }),
    becomes: PAID,
    done: 'Return recorded',
    refused: {
      on: stuckRefundSale,
      text: 'This refund has changed in the meantime. You see the current state.',
    },
    event: null,
    needsProof: true,
  },
  resolve_problem: {
    on: sale('with a problem'),
    becomes: PAID,
    done: 'Problem resolved',
    refused: { on: sale('in escrow'), text: 'No problem is open.' },
    needsProof: false,
  },
  decline_cancellation: {
    on: sale('buyer wants out'),
    becomes: PAID,
    done: 'Cancellation declined',
    refused: { on: sale('in escrow'), text: 'No one has requested a cancellation.' },
    needsProof: false,
  },
  deliver_documents: {
    on: sale('in escrow'),
    becomes: PAID,
    done: 'Documents delivered',
    refused: { on: sale('with documents'), text: 'The documents are already marked as delivered.' },
    needsProof: false,
  },
  accept_mismatch: {
    on: differingSale,
    becomes: PAID,
    done: 'Payment accepted',
    refused: { on: sale('in escrow'), text: DECIDED },
    needsProof: true,
  },
  return_mismatch: {
    on: differingSale,
    becomes: RETURNED,
    done: 'Payment returned',
    refused: { on: sale('in escrow'), text: DECIDED },
    needsProof: true,
  },
  dismiss_mismatch: {
    on: foreignSale,
    becomes: 'failed/cancelled/ Active',
    done: 'Payment dismissed',
    refused: { on: sale('in escrow'), text: DECIDED },
    needsProof: true,
  },
  recognise_refund: {
    on: refundedAtProvider,
    becomes: PAID,
    done: 'Refund recorded',
    refused: {
      on: sale('frozen'),
      text: 'This refund has been recorded in the meantime. You see the current state.',
    },
    again: 'This sale is not frozen.',
    needsProof: true,
  },
  answer_dispute: {
    on: disputedSale,
    fields: dispute,
    becomes: PAID,
    done: 'Dispute answered',
    refused: {
      on: decided,
      text: 'The bank has decided this dispute in the meantime. You see the current state.',
    },
    again: ANSWERED,
    event: null,
    needsProof: false,
  },
  concede_dispute: {
    on: disputedSale,
    fields: dispute,
    becomes: PAID,
    done: 'Dispute accepted',
    refused: {
      on: decided,
      text: 'The bank has decided this dispute in the meantime. You see the current state.',
    },
    again: ANSWERED,
    event: null,
    needsProof: true,
  },
};

/** The toast that a redirect carries. */
const toastOf = ({ headers }: HttpResponse): { title: string; text?: string; tone?: string } =>
  JSON.parse(decodeURIComponent(/acre-flash=([^;]*)/.exec(String(headers['set-cookie']))?.[1] ?? 'null'));

/** A form as the dialog sends it: with a file where documents are delivered. */
function formOf(fields: Record<string, string>, file?: string): AppRequest {
  const part = (name: string, value: string, more = '') =>
    `--bound\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const parts = Object.entries(fields).map(([name, value]) => part(name, value));
  if (file) parts.push(part('deed', String(pdfFile), `; filename="${file}"`));
  return {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'multipart/form-data; boundary=bound' },
    body: `${parts.join('')}--bound--\r\n`,
  };
}

describe('the acts of the drawer of a sale, by their forms', () => {
  let app: TestApp;
  beforeAll(async () => {
    // The sandbox answers when a provider is asked before a release.
    app = await startTestApp({ ACRE_UNDECLARED: 'on' }, await mainDatabase());
    await giveAuthenticator(app.db, app.scenario.cast.buyerA.id);
  });
  afterAll(() => app.close());
  // Each act is asked for more often than one administrator may.
  beforeEach(() => app.db.q().deleteFrom('rate_limits').execute());

  const page = (saleId: string, act?: string) =>
    adminPaths.transactions({ q: 'Lane', sale: saleId, do: act });
  function send(act: string, subject: Subject, note: string, request: AppRequest = {}) {
    const fields = { intent: act, id: subject.saleId, ...trials[act]?.fields?.(subject), note };
    const form = formOf(fields, act === 'deliver_documents' ? 'Deed.pdf' : undefined);
    return app.call(page(subject.saleId, act), {
      as: 'admin',
      ...form,
      ...request,
      headers: { ...form.headers, ...request.headers },
    });
  }
  /** All that an act may change. */
  const stateOf = async (subject: Subject) => ({
    state: await saleState(app.scenario, subject),
    history: await historyOf(app.scenario, subject),
    evidence: await evidenceOf(subject),
  });
  /** A job of the server submits what is pending in its own time. */
  async function evidenceOf({ disputeId }: Subject) {
    const rows = await app.db
      .q()
      .selectFrom('dispute_evidence')
      .select(['state', 'reason'])
      .where('dispute_id', '=', disputeId ?? '00000000-0000-4000-8000-000000000000')
      .execute();
    return rows.map(({ state, reason }) => ({ state: state === 'submitted' ? 'pending' : state, reason }));
  }
  /** Of the buyer of all these sales, who has become an administrator since. */
  const setRole = (role: 'admin' | 'buyer') =>
    app.db.q().updateTable('profiles').set({ role }).where('id', '=', app.scenario.cast.buyerA.id).execute();
  const expectRefused = (answer: HttpResponse, saleId: string, text: string) => {
    expect([answer.status, answer.headers.location]).toEqual([302, page(saleId)]);
    expect(toastOf(answer)).toMatchObject({ title: 'Not done', text, tone: 'bad' });
  };

  for (const [act, trial] of Object.entries(trials))
    describe(act, () => {
      it('is done once, with its reason on record, and leads back to the drawer', async () => {
        const subject = await trial.on(app.scenario);
        const note = `Agreed with both sides about ${act}.`;
        const answer = await send(act, subject, note);
        expect([answer.status, answer.headers.location]).toEqual([302, page(subject.saleId)]);
        expect(toastOf(answer)).toMatchObject({ title: trial.done });
        const after = await stateOf(subject);
        expect(after.state).toBe(trial.becomes);
        const { event = act } = trial;
        if (event !== null) {
          const by = { role: 'admin', who: app.scenario.cast.admin.id };
          expect(after.history.filter((one) => one.event === event)).toEqual([{ event, ...by, note }]);
        }
        if (act === 'concede_dispute') expect(after.evidence).toEqual([{ state: 'conceded', reason: note }]);
        if (act === 'answer_dispute') expect(after.evidence).toHaveLength(1);
        if (act === 'deliver_documents') {
          const files = app.db.q().selectFrom('document_registry').select('document_name');
          expect(await files.where('property_sale_id', '=', subject.saleId).execute()).toEqual([
            { document_name: 'Deed.pdf' },
          ]);
        }

        const second = await send(act, subject, note);
        // The same refund is ordered once, however often its form arrives.
        if (act === 'refund') expect(toastOf(second)).toMatchObject({ title: trial.done });
        else expectRefused(second, subject.saleId, trial.again ?? trial.refused.text);
        expect(await stateOf(subject)).toEqual(after);
      });

      it('is refused in words where it is not possible', async () => {
        const subject = await trial.refused.on(app.scenario);
        const before = await stateOf(subject);
        expectRefused(await send(act, subject, 'Agreed.'), subject.saleId, trial.refused.text);
        expect(await stateOf(subject)).toEqual(before);
      });

      it('is refused to everyone else, to an administrator about their own purchase, and without a reason', async () => {
        const subject = await trial.on(app.scenario);
        const before = await stateOf(subject);
        for (const as of actors.filter((actor) => actor !== 'admin')) {
          const answer = await send(act, subject, 'Agreed.', { as });
          expect([as, answer.status]).toEqual([as, as === 'anonymous' ? 302 : 403]);
          if (as === 'anonymous') expect(answer.headers.location).toMatch(/^\/admin\?next=/);
        }
        // Contesting is possible without a statement.
        if (act !== 'answer_dispute') {
          const { status, text } = await send(act, subject, '  ');
          expect([status, text.includes(NO_REASON)]).toEqual([422, true]);
        }
        const cookie = await app.cookieOf(app.scenario.cast.admin);
        const old = app.db.q().updateTable('sessions').set({ proved_at: null });
        await old.where('user_id', '=', app.scenario.cast.admin.id).execute();
        if (trial.needsProof)
          expect((await send(act, subject, 'Agreed.', { as: 'anonymous', headers: { cookie } })).status).toBe(
            403,
          );
        expect(await stateOf(subject)).toEqual(before);

        // One's own cancellation can be withdrawn, wherever it is done.
        if (act === 'decline_cancellation') return;
        await setRole('admin');
        const own = await send(act, subject, 'Agreed.', { as: 'buyerA' });
        await setRole('buyer');
        expectRefused(own, subject.saleId, OWN);
        expect(await stateOf(subject)).toEqual(before);
      });
    });

  it('documents are delivered with at least one file', async () => {
    const { saleId } = await newSale(app.scenario, 'in escrow');
    const fields = { intent: 'deliver_documents', id: saleId, note: 'They came by post.' };
    const answer = await app.call(page(saleId, 'deliver_documents'), { as: 'admin', ...formOf(fields) });
    expect(answer.status).toBe(422);
    for (const kept of ['Please choose at least one file.', 'They came by post.'])
      expect(answer.text).toContain(kept);
  });

  it('a refund keeps what was typed when it is too much, all of it, nothing, or another one of the same state', async () => {
    const subject = await newSale(app.scenario, 'in escrow');
    const order = (base: string, note = 'Agreed.') =>
      app.call(page(subject.saleId, 'refund'), {
        as: 'admin',
        ...formOf({ intent: 'refund', id: subject.saleId, base, note, key: `ordered:${subject.saleId}:0` }),
      });
    for (const [base, text] of [
      ['', 'Please enter an amount.'],
      ['much', 'Please enter an amount.'],
      ['99999999', 'This is more than is left of the payment.'],
      ['742000', 'This is everything that is held. To refund all of it, cancel the sale.'],
    ] as const) {
      const answer = await order(base);
      expect([base, answer.status, answer.text.includes(text)]).toEqual([base, 422, true]);
      expect(answer.text).toContain('Agreed.');
    }
    expect(toastOf(await order('5'))).toMatchObject({ title: 'Refund ordered' });
    expectRefused(
      await order('6'),
      subject.saleId,
      'Another refund of this sale has been ordered in the meantime. You see what is left.',
    );
  });

  it('a payment that differs cannot be accepted when the property is no longer for sale', async () => {
    const subject = await differingSale(app.scenario);
    await app.db
      .q()
      .updateTable('properties')
      .set({ status: 'withdrawn' })
      .where('id', '=', subject.propertyId)
      .execute();
    expectRefused(
      await send('accept_mismatch', subject, 'Agreed.'),
      subject.saleId,
      'The property is no longer for sale, so the payment can only be returned.',
    );
  });

  it('an unknown sale or dispute is not found', async () => {
    const unknown = { ...(await newSale(app.scenario, 'in escrow')), saleId: 'none', disputeId: 'none' };
    for (const act of Object.keys(trials))
      expect([act, (await send(act, unknown, 'Agreed.')).status]).toEqual([act, 404]);
  });
});
