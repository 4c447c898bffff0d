import { useEffect, useState } from 'react';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { Activity } from '#ui/detail-glyphs.ts';
import { formatTime } from '#ui/format-time.ts';
import { Icon } from '#ui/icon.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { toast } from '#ui/toast.ts';
import { diagnose } from './diagnose.ts';

const STORAGE_PREFIX = 'acre-diagnosis';

/** 'Run Payment Diagnostics' with the result of the last run. Needs JavaScript. */
export function PaymentDiagnostics({ propertyId, method }: { propertyId: string; method: PaymentMethod }) {
  const [last, setLast] = useState('not run yet');
  const [busy, setBusy] = useState(false);
  const storageKey = `${STORAGE_PREFIX}:${propertyId}`;

  useEffect(() => {
    const before = sessionStorage.getItem(storageKey);
    if (before) setLast(before);
  }, [storageKey]);

  async function run() {
    if (busy) return;
    setBusy(true);
    const { verdict, at, problem } = await diagnose(propertyId, method);
    const line = `${verdict}, ${formatTime(at, 'moment')}`;
    setLast(line);
    sessionStorage.setItem(storageKey, line);
    if (problem) toast({ ...problem, tone: 'bad' });
    setBusy(false);
  }
  return (
    <div className="diag needs-js">
      <button type="button" aria-busy={busy || undefined} onClick={() => void run()}>
        {busy ? <Spinner /> : <Icon of={Activity} size={16} />}
        Run Payment Diagnostics
      </button>
      <span role="status">Last diagnosis: {last}</span>
    </div>
  );
}
