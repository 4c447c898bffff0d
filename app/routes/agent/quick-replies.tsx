import { data } from 'react-router';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { invalid, type Refusal, redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { deleteQuickReply } from '#features/quick-replies/commands/delete-quick-reply.ts';
import { saveQuickReply } from '#features/quick-replies/commands/save-quick-reply.ts';
import {
  type QuickReplyDialog,
  QuickReplyDialogs,
} from '#features/quick-replies/components/quick-reply-dialogs.tsx';
import { QuickReplyList } from '#features/quick-replies/components/quick-reply-list.tsx';
import { type QuickReply, saveRefusals } from '#features/quick-replies/model.ts';
import { quickReplies } from '#features/quick-replies/reads.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import type { Route } from './+types/quick-replies';

/** The dialog that the URL opens. */
function dialogOf(replies: readonly QuickReply[], { searchParams }: URL): QuickReplyDialog | null {
  const kind = searchParams.get('do');
  if (kind === 'add') return { kind };
  const reply = replies.find(({ id }) => id === searchParams.get('id'));
  return reply && (kind === 'edit' || kind === 'delete') ? { kind, reply } : null;
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const replies = await readOrNull(ctx, () => quickReplies(ctx));
  const readOnly = ctx.actor.kind === 'user' && ctx.actor.suspended;
  const dialog = readOnly ? null : dialogOf(replies ?? [], url);
  return data({ replies, dialog, readOnly }, replies ? undefined : { status: 503 });
}

export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    preserve: ['name', 'text'],
    intents: {
      async save({ ctx, text }): Promise<Response | Refusal<{ newer?: QuickReply }>> {
        const id = text('id');
        const of = id === '' ? null : { id, version: Number(text('version')) };
        const saved = await saveQuickReply(ctx, { of, name: text('name'), text: text('text') });
        if (saved.ok)
          return redirectWithToast(
            sellerPaths.quickReplies(),
            { title: 'Quick reply saved' },
            { status: 303 },
          );
        return saved.reason === 'invalid'
          ? invalid(saved.errors)
          : {
              ok: false,
              toast: saveRefusals[saved.reason],
              ...(saved.reason === 'newer' && { extra: { newer: saved.current } }),
            };
      },
      async delete({ ctx, text }): Promise<Response> {
        await deleteQuickReply(ctx, { id: text('id') });
        return redirectWithToast(
          sellerPaths.quickReplies(),
          { title: 'Quick reply deleted' },
          { status: 303 },
        );
      },
    },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: textFields('name', 'text'), toast: NOT_SAVED, refusalsLeave: true });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Quick Replies', hidden: true });

/** The texts that a seller puts into answers to buyers. */
export default function QuickRepliesPage({
  loaderData: { replies, dialog, readOnly },
  actionData,
}: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Quick Replies"
        back={{ href: paths.sellerInquiries(), label: 'Property Inquiries' }}
        actions={
          replies &&
          !readOnly && (
            <ButtonLink to={sellerPaths.quickReplies({ do: 'add' })} preventScrollReset>
              Add Quick Reply
            </ButtonLink>
          )
        }
      />
      {replies ? (
        <QuickReplyList replies={replies} readOnly={readOnly} />
      ) : (
        <FailedPanel title="Your quick replies could not be loaded." />
      )}
      <QuickReplyDialogs dialog={dialog} answer={useAnswer(actionData)} />
    </>
  );
}
