import { lazy, Suspense } from 'react';
import { data, Form, useNavigate } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { FileCheck } from '#features/verification/components/file-check.tsx';
import { verifyDocument } from '#features/verification/reads.ts';
import { NOT_A_QUESTION, questionOf } from '#features/verification/rules.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { verifyPaths } from '#routing/verify-paths.ts';
import { Button } from '#ui/button.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { useIsLeaving } from '#ui/use-destination.ts';
import type { Route } from './+types/verify';

/** Not of the page without a question; when it cannot be loaded, the error page says so. */
const VerificationResult = lazy(async () => ({
  default: (await import('#features/verification/components/verification-result.tsx')).VerificationResult,
}));
/** Receipt numbers, hashes and addresses are shorter. */
const MOST_TYPED = 300;

export async function loader({ url, context }: Route.LoaderArgs) {
  const typed = (url.searchParams.get('q') ?? '').slice(0, MOST_TYPED);
  if (typed.trim() === '') return data({ typed: '', error: null, verification: null });
  const question = questionOf(typed);
  if (!question) return data({ typed, error: NOT_A_QUESTION, verification: null }, { status: 400 });
  try {
    return data({ typed, error: null, verification: await verifyDocument(getCtx(context), question) });
  } catch (error) {
    // The page stays, with what was typed.
    if (!(error instanceof TooManyRequests)) throw error;
    const { message, status, retryAfterSeconds } = error;
    return data(
      { typed, error: message, verification: null },
      { status, headers: { 'retry-after': String(retryAfterSeconds) } },
    );
  }
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: 'Verify a Document',
    description:
      'Check whether a file or a receipt is registered here, and when its hash was written to a chain.',
    canonical: verifyPaths.verify(),
    hidden: loaderData?.typed !== '',
  });

/** Anyone can check a document here: by its file, which stays in the browser, or by the number on it. */
export default function Verify({ loaderData: { typed, error, verification } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const isLeaving = useIsLeaving();
  return (
    <>
      <PageHead title="Verify a Document">
        <p className="hint mt-2">
          Check whether a document is registered here, and when its hash was written to a chain.
        </p>
      </PageHead>
      <div className="verify">
        <Panel title="Choose a file or enter its number" inset className="mt-0!">
          <FileCheck
            onHash={(sha256) => {
              if (!isLeaving())
                void navigate(verifyPaths.verify({ q: sha256 }), { preventScrollReset: true });
            }}
          />
          <Form
            method="get"
            action={verifyPaths.verify()}
            className="verify-form"
            preventScrollReset
            noValidate
          >
            <TextInput
              // A file that is checked replaces what was typed.
              key={verification?.question.by === 'file' ? typed : ''}
              label="Receipt number or SHA-256"
              name="q"
              defaultValue={typed}
              error={error}
              hint="For example ATP-000042, as printed on the receipt."
              maxLength={MOST_TYPED}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <Button type="submit">Verify</Button>
          </Form>
        </Panel>
        {verification && (
          <Suspense>
            <VerificationResult verification={verification} />
          </Suspense>
        )}
        <OwnHash />
      </div>
    </>
  );
}

const commands: [string, string][] = [
  ['Windows', 'certutil -hashfile receipt.pdf SHA256'],
  ['macOS', 'shasum -a 256 receipt.pdf'],
  ['Linux', 'sha256sum receipt.pdf'],
];

/** For those who would rather not choose a file here, or have no scripts. */
function OwnHash() {
  return (
    <Panel title="How this works" inset className="mt-0!">
      <div className="verify-own">
        <p>
          A SHA-256 is a fingerprint of a file: 64 characters that change when the file does. We write it, or
          a salted form of it, to a public chain. That shows the document existed then and has not changed
          since. It does not show that what the document says is true.
        </p>
        <p className="no-js mt-3">
          Without JavaScript this page cannot compute it for you. Use one of these commands, then paste the
          result above.
        </p>
        <p className="needs-js mt-3">You can also compute it yourself and paste it above.</p>
        <dl className="verify-facts mt-3">
          {commands.map(([system, command]) => (
            <div key={system}>
              <dt>{system}</dt>
              <dd>
                <code>{command}</code>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}
