import { authorize } from '#platform/access.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { evidenceJob } from '../evidence-job.ts';
import { lockDispute, recordAnswer } from '../record-answer.ts';
import { ANSWER_BEFORE_DEADLINE, mayAnswerDisputes } from '../rules.ts';

/** Disputes per run; the next one continues. */
const BATCH = 200;

/** Runs every hour: answers disputes that are due and that nobody has dealt with, and sends again what lost its job. */
export async function answerDueDisputes(ctx: Ctx): Promise<void> {
  authorize(ctx, mayAnswerDisputes);
  const now = ctx.now().getTime();
  const due = await ctx.db
    .q()
    .selectFrom('disputes as d')
    .select('d.id')
    .where('d.status', '=', 'open')
    .where('d.evidence_due_at', '>', ctx.now())
    .where('d.evidence_due_at', '<=', new Date(now + ANSWER_BEFORE_DEADLINE))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dispute_evidence as e')
            .select('e.id')
            .whereRef('e.dispute_id', '=', 'd.id')
            .whereRef('e.dispute_kind', '=', 'd.kind'),
        ),
      ),
    )
    .orderBy('d.evidence_due_at')
    .limit(BATCH)
    .execute();
  for (const { id } of due) await answer(asSystem(ctx, 'disputes'), id);
  const unsent = await ctx.db
    .q()
    .selectFrom('dispute_evidence')
    .select('id')
    .where('state', '=', 'pending')
    .where('created_at', '<', new Date(now - HOUR))
    .orderBy('created_at')
    .limit(BATCH)
    .execute();
  for (const { id } of unsent) await enqueue(ctx, evidenceJob, { evidenceId: id }, { key: id });
}

/** One that fails does not stop the others. */
async function answer(ctx: Ctx, disputeId: string): Promise<void> {
  try {
    await ctx.db.tx(async () => {
      const dispute = await lockDispute(ctx, disputeId);
      if (dispute) await recordAnswer(ctx, dispute, '');
    });
  } catch (error) {
    ctx.log.error(
      { err: error, dispute: disputeId },
      'a dispute could not be answered, and will be tried again',
    );
  }
}
