import type { CollectionField, EdmType, Field, Resource, ResourceName } from '../model.ts';

/** The namespace of the types, as RESO names it. */
const NAMESPACE = 'org.reso.metadata';

const attributesOf = ({ type, nullable, maxLength, scale }: Field): [name: string, value: string][] => [
  ['Type', `Edm.${type}`],
  ...(nullable ? [] : ([['Nullable', 'false']] as [string, string][])),
  ...(maxLength === undefined ? [] : ([['MaxLength', String(maxLength)]] as [string, string][])),
  ...(type === 'Decimal'
    ? ([
        ['Precision', '14'],
        ['Scale', String(scale ?? 0)],
      ] as [string, string][])
    : []),
  ...(type === 'DateTimeOffset' ? ([['Precision', '6']] as [string, string][]) : []),
];

const escapeXml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const description = (text: string) =>
  `<Annotation Term="Org.OData.Core.V1.Description" String="${escapeXml(text)}"/>`;

const propertyXml = (field: Field) => {
  const attributes = attributesOf(field).map(([name, value]) => ` ${name}="${value}"`);
  return `<Property Name="${field.name}"${attributes.join('')}>${description(field.description)}</Property>`;
};
const collectionXml = (field: CollectionField) =>
  `<Property Name="${field.name}" Type="Collection(Edm.String)" Nullable="false">${description(field.description)}</Property>`;

/** The metadata document as XML (CSDL 4.01). */
export function metadataXml(resources: Readonly<Record<ResourceName, Resource>>): string {
  const all = Object.values(resources);
  const types = all.map(
    (resource) =>
      `<EntityType Name="${resource.name}"><Key><PropertyRef Name="${resource.key}"/></Key>${resource.fields
        .map(propertyXml)
        .join('')}${resource.collections.map(collectionXml).join('')}${
        resource.media ? `<NavigationProperty Name="Media" Type="Collection(${NAMESPACE}.Media)"/>` : ''
      }${description(resource.description)}</EntityType>`,
  );
  const sets = all.map(
    (resource) =>
      `<EntitySet Name="${resource.name}" EntityType="${NAMESPACE}.${resource.name}">${
        resource.media ? '<NavigationPropertyBinding Path="Media" Target="Media"/>' : ''
      }</EntitySet>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml"><edmx:Include Namespace="Org.OData.Core.V1"/></edmx:Reference><edmx:DataServices>',
    `<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${NAMESPACE}">${types.join('')}`,
    `<EntityContainer Name="Default">${sets.join('')}</EntityContainer></Schema>`,
    '</edmx:DataServices></edmx:Edmx>\n',
  ].join('\n');
}

const jsonTypes: Partial<Record<EdmType, string>> = { String: '' };

const propertyJson = ({ type, nullable, maxLength, scale, description: text }: Field) => ({
  // In CSDL JSON a text is the type that is not said.
  ...(jsonTypes[type] === undefined && { $Type: `Edm.${type}` }),
  ...(nullable && { $Nullable: true }),
  ...(maxLength !== undefined && { $MaxLength: maxLength }),
  ...(type === 'Decimal' && { $Precision: 14, $Scale: scale ?? 0 }),
  ...(type === 'DateTimeOffset' && { $Precision: 6 }),
  '@Org.OData.Core.V1.Description': text,
});

/** The metadata document as JSON (CSDL JSON 4.01). */
export function metadataJson(resources: Readonly<Record<ResourceName, Resource>>): object {
  const all = Object.values(resources);
  const types = all.map((resource) => [
    resource.name,
    {
      $Kind: 'EntityType',
      $Key: [resource.key],
      '@Org.OData.Core.V1.Description': resource.description,
      ...Object.fromEntries(resource.fields.map((field) => [field.name, propertyJson(field)])),
      ...Object.fromEntries(
        resource.collections.map((field) => [
          field.name,
          { $Collection: true, '@Org.OData.Core.V1.Description': field.description },
        ]),
      ),
      ...(resource.media && {
        Media: { $Kind: 'NavigationProperty', $Collection: true, $Type: `${NAMESPACE}.Media` },
      }),
    },
  ]);
  const sets = all.map((resource) => [
    resource.name,
    {
      $Collection: true,
      $Type: `${NAMESPACE}.${resource.name}`,
      ...(resource.media && { $NavigationPropertyBinding: { Media: 'Media' } }),
    },
  ]);
  return {
    $Version: '4.01',
    $EntityContainer: `${NAMESPACE}.Default`,
    $Reference: {
      'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.json': {
        $Include: [{ $Namespace: 'Org.OData.Core.V1' }],
      },
    },
    [NAMESPACE]: {
      ...Object.fromEntries(types),
      Default: { $Kind: 'EntityContainer', ...Object.fromEntries(sets) },
    },
  };
}
