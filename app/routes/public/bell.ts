import { redirect } from 'react-router';
import { redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { getCtx } from '#app/request.ts';
import { markAllRead } from '#features/bell/commands/mark-all-read.ts';
import { bellContent } from '#features/bell/reads.ts';
import { mayOpenBell } from '#features/bell/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import type { Route } from './+types/bell';

/** What the panel of the bell shows, as JSON. */
export const loader = async ({ context }: Route.LoaderArgs) =>
  Response.json(await bellContent(getCtx(context)), { headers: { 'cache-control': 'no-store' } });

/** Marks everything but messages as read. Scripts ask for JSON; a plain form is redirected to My Activity. */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: {
      async 'read-all'({ ctx, scripted }) {
        if (!scripted && !mayOpenBell(ctx.actor))
          return redirect(paths.buyerLogin({ next: paths.buyerActivity() }));
        await markAllRead(ctx);
        return scripted ? Response.json({ ok: true }) : redirect(activityOf(ctx), 303);
      },
    },
    fallback: 'read-all',
    respond: ({ toast }, { ctx, scripted }, init) =>
      scripted
        ? Response.json({ error: toast?.text }, init)
        : redirectWithToast(activityOf(ctx), toast ?? null),
  });

const activityOf = ({ actor }: Ctx): string => paths.activity(actor.kind === 'user' ? actor.role : 'buyer');
