import { Printer } from 'lucide-react';
import { Button } from '#ui/button.tsx';

/** What can be done with the report that is shown. */
export function ReportActions() {
  return (
    <Button className="needs-js" variant="outline" icon={Printer} onClick={() => window.print()}>
      Print
    </Button>
  );
}
