import { redirect } from 'react-router';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { confirmNotice } from '#features/notices/commands/confirm-notice.ts';
import type { Ctx } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import type { Route } from './+types/notices';

/** Nothing is read here. */
export const loader = () => redirect(paths.home());

/** Confirms a notice. Scripts ask for JSON; a plain form is redirected to the user's own area. */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: {
      async confirm({ ctx, text, scripted }) {
        await confirmNotice(ctx, { noticeId: text('id') });
        return scripted ? Response.json({ ok: true }) : redirect(ownArea(ctx), 303);
      },
    },
    respond: ({ toast }, { ctx, scripted }, init) =>
      scripted ? Response.json({ error: toast?.text }, init) : redirectWithToast(ownArea(ctx), toast ?? null),
  });

/** The notice is above every page, none of which is lost when it cannot be sent. */
export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: textFields(), toast: NOT_SAVED, refusalsLeave: true });

const ownArea = ({ actor }: Ctx): string =>
  actor.kind === 'user' && actor.role === 'agent' ? paths.sellerInquiries() : paths.buyerActivity();
