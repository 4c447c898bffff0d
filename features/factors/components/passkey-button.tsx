import { useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import type { PasskeyRequest } from '../model.ts';
import { answerWithPasskey, hasPasskeys, makePasskey } from './passkey-ceremony.ts';

interface PasskeyButtonProps {
  label: string;
  request: PasskeyRequest;
  /** makes one instead of asking for one */
  make?: boolean;
  /** the field of the surrounding form that takes the answer */
  name: string;
  busy: boolean;
  error?: string | undefined;
}

/** Asks for a passkey and sends the form around it with the answer. Needs scripts. */
export function PasskeyButton({ label, request, make, name, busy, error }: PasskeyButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const ask = async () => {
    setProblem(null);
    if (!hasPasskeys()) return setProblem('This browser cannot use passkeys.');
    setAsking(true);
    try {
      const answer = await (make ? makePasskey(request) : answerWithPasskey(request));
      if (answer === null) return setProblem('No passkey was used.');
      if (!field.current) return;
      field.current.value = answer;
      field.current.form?.requestSubmit();
    } catch {
      setProblem('The passkey did not work. Please try again.');
    } finally {
      setAsking(false);
    }
  };
  const shown = problem ?? error;
  return (
    <div className="needs-js grid gap-2">
      <input ref={field} type="hidden" name={name} />
      <Button variant="outline" size="lg" wide busy={busy || asking} onClick={ask}>
        {label}
      </Button>
      {shown && (
        <p className="err" role="alert">
          {shown}
        </p>
      )}
    </div>
  );
}
