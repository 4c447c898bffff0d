import { Form } from 'react-router';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { refuse, typedText } from '#app/sign-in/answer.ts';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { unsubscribe } from '#features/notifications/commands/unsubscribe.ts';
import { topicWords } from '#features/notifications/model.ts';
import { topicOfToken } from '#features/notifications/reads.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Route } from './+types/unsubscribe';

const REFUSED = 'This link is not complete. Please open it from the email again.';

export function loader({ url, context }: Route.LoaderArgs) {
  const token = url.searchParams.get('token') ?? '';
  return { token, topic: topicOfToken(getCtx(context), token) };
}

/**
 * Ends mails of one kind by a press and not by opening the link, so that a mail scanner that follows links ends nothing.
 * Mail programs press by themselves (RFC 8058): their token stands in the address.
 */
export async function action({ request, context, url }: Route.ActionArgs) {
  const token = typedText(await formOf(request), 'token') || url.searchParams.get('token') || '';
  const result = await unsubscribe(getCtx(context), token);
  if (!result.ok) return refuse({ form: 'unsubscribe', errors: { token: REFUSED } }, 400);
  return { done: result.topic };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Unsubscribe', hidden: true });

export default function Unsubscribe({ loaderData: { token, topic }, actionData }: Route.ComponentProps) {
  const busy = useBusy('unsubscribe');
  const done = actionData && 'done' in actionData ? actionData.done : null;
  return (
    <AuthCard title="Unsubscribe" back={{ href: paths.home(), label: 'Back to Home' }}>
      {done ? (
        <>
          <Notice tone="ok">
            <p>You will get no more {topicWords[done]}.</p>
          </Notice>
          <ButtonLink variant="outline" wide to={paths.account()}>
            Choose which mails you get
          </ButtonLink>
        </>
      ) : topic && !actionData ? (
        <Form method="post" className="grid gap-5">
          <input type="hidden" name="form" value="unsubscribe" />
          <input type="hidden" name="token" value={token} />
          <p>You are about to end {topicWords[topic]}.</p>
          <Button type="submit" size="lg" wide busy={busy}>
            Unsubscribe
          </Button>
        </Form>
      ) : (
        <Notice tone="bad">
          <p>{REFUSED}</p>
        </Notice>
      )}
    </AuthCard>
  );
}
