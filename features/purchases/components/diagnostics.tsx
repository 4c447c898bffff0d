import { useEffect, useState } from 'react';
import type { Rail } from '#gateways/payments/port.ts';
import { Activity } from '#ui/detail-glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { momentText } from '#ui/local-time.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { toast } from '#ui/toast.ts';
import { diagnose } from './diagnose.ts';

const KEPT = 'acre-diagnosis';

/** 'Run Payment Diagnostics' with the line of the last one (S0 §2, B-080). Does nothing before the scripts. */
export function Diagnostics({ propertyId, rail }: { propertyId: string; rail: Rail }) {
  const [last, setLast] = useState('not run yet');
  const [busy, setBusy] = useState(false);
  const kept = `${KEPT}:${propertyId}`;

  useEffect(() => {
    const before = sessionStorage.getItem(kept);
    if (before) setLast(before);
  }, [kept]);

  async function run() {
    if (busy) return;
    setBusy(true);
    const { verdict, at, problem } = await diagnose(propertyId, rail);
    const line = `${verdict}, ${momentText(at, 'moment')}`;
    setLast(line);
    sessionStorage.setItem(kept, line);
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
