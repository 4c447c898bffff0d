import { expect, it } from 'vitest';
import { type EscrowStage, stageOf } from './escrow-stages.ts';

const now = new Date('2026-11-20T12:00:00Z');
const calm = { frozen: false, problem: false, cancellation: false, delivered: false, documentsDue: null };

it.each<[Partial<Parameters<typeof stageOf>[0]>, EscrowStage]>([
  [{}, 'awaiting_documents'],
  [{ documentsDue: new Date('2026-11-21T12:00:00Z') }, 'awaiting_documents'],
  [{ documentsDue: now }, 'overdue'],
  [{ delivered: true, documentsDue: now }, 'delivered'],
  [{ cancellation: true, delivered: true }, 'cancellation'],
  [{ problem: true, cancellation: true }, 'problem'],
  [{ frozen: true, problem: true }, 'frozen'],
])('%o is in the stage %s', (facts, stage) => {
  expect(stageOf({ ...calm, ...facts }, now)).toBe(stage);
});
