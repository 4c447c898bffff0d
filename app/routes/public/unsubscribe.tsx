import { Form } from 'react-router';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { invalid, type Refusal, runAction, type Stay } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { unsubscribe } from '#features/notifications/commands/unsubscribe.ts';
import { topicLabels } from '#features/notifications/model.ts';
import { topicOfToken } from '#features/notifications/reads.ts';
import { paths } from '#routing/paths.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Route } from './+types/unsubscribe';

const REFUSED = 'This link is incomplete. Please open it from the email again.';

/** What the answer adds once it is done. */
interface Unsubscribed {
  done: keyof typeof topicLabels;
}

export function loader({ url, context }: Route.LoaderArgs) {
  const token = url.searchParams.get('token') ?? '';
  return { token, topic: topicOfToken(getCtx(context), token) };
}

/**
 * Unsubscribes by pressing a button and not by opening the link, so that mail scanners that follow links change nothing.
 * Mail clients post directly (RFC 8058), with the token in the URL.
 */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    fallback: 'unsubscribe',
    intents: {
      async unsubscribe({ ctx, text }): Promise<Stay<Unsubscribed> | Refusal<Unsubscribed>> {
        const token = text('token') || args.url.searchParams.get('token') || '';
        const result = await unsubscribe(ctx, { token });
        return result.ok
          ? { ok: true, extra: { done: result.topic } }
          : { ...invalid({ token: REFUSED }), status: 400 };
      },
    },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: textFields(), toast: NOT_SAVED, refusalsLeave: true });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Unsubscribe', hidden: true });

export default function Unsubscribe({ loaderData: { token, topic }, actionData }: Route.ComponentProps) {
  const busy = useBusy('unsubscribe');
  const done = actionData?.done;
  return (
    <AuthCard title="Unsubscribe" back={{ href: paths.home(), label: 'Back to Home' }}>
      {done ? (
        <>
          <Notice tone="ok">
            <p>You will no longer receive {topicLabels[done]}.</p>
          </Notice>
          <ButtonLink variant="outline" wide to={paths.account()}>
            Choose which emails you receive
          </ButtonLink>
        </>
      ) : topic && !actionData?.errors ? (
        <Form method="post" className="grid gap-5">
          <IntentField is="unsubscribe" />
          <input type="hidden" name="token" value={token} />
          <p>You are about to stop {topicLabels[topic]}.</p>
          <Button type="submit" size="lg" wide busy={busy}>
            Unsubscribe
          </Button>
        </Form>
      ) : (
        <Notice tone="bad">
          <p>{REFUSED}</p>
        </Notice>
      )}
      <FlashToast toast={actionData?.toast} />
    </AuthCard>
  );
}
