import { Badge } from '#ui/badge.tsx';
import { Panel } from '#ui/panel.tsx';
import type { ConfiguredService } from '../model.ts';

const modes = { live: 'Live', test: 'Test mode', sandbox: 'Sandbox' } as const;

/** The services that the environment of the server configures: shown, not changed here. */
export function ServiceCards({ services }: { services: readonly ConfiguredService[] }) {
  return (
    <Panel title="Other Services" inset>
      <p className="subtle">
        Set by the environment of the server. Nothing here can be changed on this page.
      </p>
      <ul className="service-cards">
        {services.map(({ name, configured, mode, text, variables }) => (
          <li key={name}>
            <div>
              <h3>{name}</h3>
              <Badge tone={configured ? 'ok' : 'mute'}>{configured ? 'Configured' : 'Not configured'}</Badge>
              {mode && <Badge tone={mode === 'live' ? 'info' : 'warn'}>{modes[mode]}</Badge>}
            </div>
            <p>{text}</p>
            <p className="subtle">{variables}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
