import type { LockedPackage } from './licenses.ts';

interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  /** `excluded`: needed to develop and to test, and not shipped */
  scope: 'required' | 'optional' | 'excluded';
  licenses?: ({ license: { id: string } } | { expression: string })[];
}

/** A bill of materials as CycloneDX 1.5 defines it. */
interface BillOfMaterials {
  bomFormat: 'CycloneDX';
  specVersion: '1.5';
  version: 1;
  metadata: { component: { type: 'application'; name: string; version: string } };
  components: Component[];
}

/** Lists every package of a lockfile. npm's own command leaves out what tools need as well, and refuses where they disagree. */
export function billOfMaterials(
  product: { name: string; version: string },
  packages: Readonly<Record<string, LockedPackage>>,
): BillOfMaterials {
  const components = new Map<string, Component>();
  for (const [place, { version = '', license, dev, optional, link }] of Object.entries(packages)) {
    if (place === '' || link) continue;
    const name = place.split('node_modules/').at(-1) ?? place;
    const id = `${name}@${version}`;
    const scope = dev ? 'excluded' : optional ? 'optional' : 'required';
    // One that is shipped in one place counts as shipped, wherever else it lies.
    if (components.has(id) && scope !== 'required') continue;
    components.set(id, {
      type: 'library',
      'bom-ref': id,
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      scope,
      ...(license && {
        licenses: [/ (?:OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }],
      }),
    });
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', ...product } },
    components: [...components.values()].sort((a, b) => a['bom-ref'].localeCompare(b['bom-ref'], 'en')),
  };
}
