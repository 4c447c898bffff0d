import { useState } from 'react';
import { Form, redirect } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { invalid, type Refusal, redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getScope } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { MESSAGE_LIMIT, type Side } from '#features/inquiries/model.ts';
import { thread } from '#features/inquiries/reads.ts';
import { sendFile } from '#features/message-files/commands/send-file.ts';
import { MAX_FILE_BYTES } from '#features/message-files/model.ts';
import { fileRefusals } from '#features/message-files/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { messageFilePaths } from '#routing/message-file-paths.ts';
import { paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { Route } from './+types/send-file';

/** Where the conversation is read. */
const conversationHref = ({ actor }: Ctx, side: Side, inquiry: string) =>
  side === 'seller'
    ? paths.sellerInquiries({ inquiry })
    : paths.activity(actor.kind === 'user' ? actor.role : 'buyer', { tab: 'inquiries', inquiry });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { ctx } = getScope(context);
  if (ctx.actor.kind !== 'user') throw redirect(paths.buyerLogin({ next: messageFilePaths.send(params.id) }));
  const { id, side, other, property, reply } = await thread(ctx, params.id);
  return {
    other: other.name,
    address: property?.address ?? null,
    refused: reply.allowed ? null : reply.text,
    back: conversationHref(ctx, side, id),
    sendingKey: ctx.requestId,
  };
}

export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    fallback: 'send',
    preserve: ['message', 'key'],
    messages: { title: 'The file was not sent' },
    intents: {
      async send({ ctx, scope, form, text }): Promise<Response | Refusal> {
        const { id } = args.params;
        if (ctx.actor.kind !== 'user') return redirect(paths.buyerLogin({ next: messageFilePaths.send(id) }));
        const { side } = await thread(ctx, id);
        const chosen = form.get('file');
        const file =
          chosen instanceof File && chosen.size > 0
            ? { name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) }
            : null;
        const result = await sendFile(scope.ctx, {
          inquiryId: id,
          message: text('message'),
          file,
          key: text('key').slice(0, 100) || ctx.requestId,
        });
        if (!result.ok)
          return result.field ? invalid({ [result.field]: result.text }) : { ok: false, toast: result.text };
        return redirectWithToast(conversationHref(ctx, side, id), { title: 'File sent' });
      },
    },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('message', 'key'),
    toast: { title: 'The file was not sent', text: 'Please choose it again and try again.' },
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Send a photo or PDF', hidden: true });

/** Sends a photo or a PDF file to the other side of a conversation, also without scripts. */
export default function SendFile({ loaderData, actionData }: Route.ComponentProps) {
  const { other, address, refused, back, sendingKey } = loaderData;
  const [tooLarge, setTooLarge] = useState(false);
  const input = actionData?.input;
  const errors = actionData?.errors ?? {};
  const busy = usePendingForm('send') !== null;
  const problem = actionData?.ok === false ? actionData.toast?.text : undefined;
  return (
    <AuthCard title="Send a photo or PDF" back={{ href: back, label: 'Back to the conversation' }}>
      <p>
        To {other}
        {address && `, about ${address}`}
      </p>
      {refused ? (
        <Notice title="You cannot send a file">{refused}</Notice>
      ) : (
        <Form method="post" encType="multipart/form-data" className="grid gap-5" noValidate>
          <IntentField is="send" />
          <input type="hidden" name="key" value={input?.key || sendingKey} />
          {problem && (
            <p className="err" role="alert">
              {problem}
            </p>
          )}
          <Field
            label="File"
            error={tooLarge ? fileRefusals.too_large : errors.file}
            hint="A photo (JPEG, PNG, WebP or HEIC) or a PDF file, at most 15 MB."
          >
            {(control) => (
              <input
                {...control}
                type="file"
                name="file"
                accept=".jpg,.jpeg,.png,.webp,.heic,.pdf"
                className="input"
                onChange={({ currentTarget }) => {
                  const chosen = currentTarget.files?.[0];
                  const over = chosen !== undefined && chosen.size > MAX_FILE_BYTES;
                  setTooLarge(over);
                  if (over) currentTarget.value = '';
                }}
              />
            )}
          </Field>
          <TextArea
            label="Message"
            name="message"
            rows={3}
            optional
            maxLength={MESSAGE_LIMIT}
            defaultValue={input?.message ?? ''}
            error={errors.message}
          />
          <p className="hint">
            Only the two of you see it. Administrators can open it when the conversation is reported.
          </p>
          <Button type="submit" size="lg" wide busy={busy}>
            Send file
          </Button>
        </Form>
      )}
    </AuthCard>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
