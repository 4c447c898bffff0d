import { Form } from 'react-router';
import { signInPaths } from '#routing/sign-in-paths.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Panel } from '#ui/panel.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { CodeInput } from './code-input.tsx';

interface SetUp {
  setUp: string;
  secret: string;
  qr: { size: number; path: string };
}

interface AuthenticatorPanelProps {
  /** null while none is set up */
  authenticator: { createdAt: Date; lastUsedAt: Date | null } | null;
  /** the one that is being set up */
  setUp: SetUp | null;
  error: string | undefined;
}

/** The authenticator app of the account: sets it up with a QR code, or removes it. */
export function AuthenticatorPanel({ authenticator, setUp, error }: AuthenticatorPanelProps) {
  const removing = usePendingForm('remove-app') !== null;
  return (
    <Panel title="Authenticator app" inset>
      {authenticator ? (
        <Form method="post" className="grid gap-4">
          <IntentField is="remove-app" />
          <p className="hint">
            Set up <LocalTime of={authenticator.createdAt.toISOString()} as="day" />
            {authenticator.lastUsedAt && (
              <>
                {' '}
                · last used <LocalTime of={authenticator.lastUsedAt.toISOString()} />
              </>
            )}
          </p>
          <Button type="submit" variant="outline" className="justify-self-start" busy={removing}>
            Remove authenticator app
          </Button>
        </Form>
      ) : setUp ? (
        <ConfirmSetUp {...setUp} error={error} />
      ) : (
        <div className="grid gap-4">
          <p className="hint">An app on your phone shows a new code of six digits every 30 seconds.</p>
          <ButtonLink
            to={signInPaths.security({ add: 'app' })}
            className="justify-self-start"
            preventScrollReset
          >
            Set up authenticator app
          </ButtonLink>
        </div>
      )}
    </Panel>
  );
}

function ConfirmSetUp({ setUp, secret, qr, error }: SetUp & { error: string | undefined }) {
  const adding = usePendingForm('add-app') !== null;
  return (
    <Form method="post" noValidate className="grid gap-5">
      <IntentField is="add-app" />
      <input type="hidden" name="setUp" value={setUp} />
      <p>Scan this code with your authenticator app, then enter the six digits that it shows.</p>
      <svg
        role="img"
        aria-label="QR code for the authenticator app"
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        className="w-48 bg-white text-black"
        shapeRendering="crispEdges"
      >
        <path d={qr.path} fill="#000" />
      </svg>
      <p className="hint">
        Or enter this key in the app: <code className="break-all">{secret}</code>
      </p>
      <CodeInput label="Code" name="code" large error={error} />
      <Button type="submit" size="lg" busy={adding}>
        Add authenticator app
      </Button>
    </Form>
  );
}
