/** The attributes of users and groups (RFC 7643 sections 3.1 and 4): what is kept, shown, searched and described. */

/** An attribute with its characteristics (RFC 7643 section 7). */
export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex'
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable'
  readonly returned: 'always' | 'default'
  readonly uniqueness: 'none' | 'server'
  readonly subAttributes?: readonly Attribute[]
  readonly referenceTypes?: readonly string[]
}

const describe = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const flag = { type: 'boolean' } as const
const shown = { mutability: 'readOnly' } as const
const id = { caseExact: true } as const
const uri = { type: 'reference', caseExact: true, referenceTypes: ['uri'] } as const
const time = { type: 'dateTime', ...shown } as const

const describeParts = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  more: Partial<Attribute> = {},
): Attribute => describe(name, description, { type: 'complex', subAttributes, ...more })

/** Of every resource (section 3.1). */
const common: readonly Attribute[] = [
  describe('id', 'The id at this service', { ...id, ...shown, returned: 'always' }),
  describe('externalId', 'The id in the directory of the client', id),
  describeParts(
    'meta',
    'What is known of the resource itself',
    [
      describe('resourceType', 'User or Group', { ...id, ...shown }),
      describe('created', 'When it was created', time),
      describe('lastModified', 'When it was last changed', time),
      describe('location', 'Its URL', { ...uri, ...shown }),
      describe('version', 'Its entity tag', { ...id, ...shown }),
    ],
    shown,
  ),
]

const userAttributes: readonly Attribute[] = [
  describe('userName', 'The name to log in with', { required: true, uniqueness: 'server' }),
  describeParts('name', 'The parts of the name', [
    describe('formatted', 'The whole name as the directory writes it'),
    describe('familyName', 'The family name'),
    describe('givenName', 'The given name'),
    describe('middleName', 'The middle names'),
  ]),
  describe('displayName', 'The name that is shown'),
  describe('nickName', 'The casual name'),
  describe('locale', 'The language and region'),
  describe('active', 'False lets nobody in with this account', flag),
  describeParts(
    'emails',
    'One address is kept: the primary one, or the one for work',
    [
      describe('value', 'The address'),
      describe('type', 'Always work'),
      describe('primary', 'Always true', flag),
    ],
    { multiValued: true },
  ),
  describeParts(
    'groups',
    'The groups of this client that the user is in',
    [
      describe('value', 'The id of the group', { ...id, ...shown }),
      describe('$ref', 'The URL of the group', { ...uri, ...shown }),
      describe('display', 'The name of the group', shown),
    ],
    { multiValued: true, ...shown },
  ),
]

const groupAttributes: readonly Attribute[] = [
  describe('displayName', 'The name of the group', {
    required: true,
    caseExact: true,
    uniqueness: 'server',
  }),
  describeParts(
    'members',
    'The users of this client in the group',
    [
      describe('value', 'The id of the user', { ...id, mutability: 'immutable' }),
      describe('$ref', 'The URL of the user', { ...uri, ...shown }),
      describe('display', 'The name of the user', shown),
      describe('type', 'Always User', { ...id, ...shown }),
    ],
    { multiValued: true },
  ),
]

/** A kind of resource, with its schema. */
export interface ResourceKind {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly schema: string
  readonly description: string
  /** Attributes of its schema. */
  readonly own: readonly Attribute[]
  /** The same, and attributes of every resource. */
  readonly attributes: readonly Attribute[]
  /** Further attributes of RFC 7643 section 4: taken, and not kept. */
  readonly unkept: readonly string[]
}

const core = 'urn:ietf:params:scim:schemas:core:2.0'

export const userKind: ResourceKind = {
  name: 'User',
  endpoint: '/Users',
  schema: `${core}:User`,
  description: 'A user of the service',
  own: userAttributes,
  attributes: [...common, ...userAttributes],
  unkept:
    'title userType preferredLanguage timezone profileUrl password phoneNumbers ims photos addresses entitlements roles x509Certificates name.honorificPrefix name.honorificSuffix emails.display'.split(
      ' ',
    ),
}

export const groupKind: ResourceKind = {
  name: 'Group',
  endpoint: '/Groups',
  schema: `${core}:Group`,
  description: 'A group of users',
  own: groupAttributes,
  attributes: [...common, ...groupAttributes],
  unkept: [],
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Names of attributes have no case (RFC 7643 section 2.1). */
export const findAttribute = (
  name: string,
  among: readonly Attribute[] | undefined,
): Attribute | undefined => among?.find((one) => isSameName(one.name, name))

/** The place of a value: an attribute, and a part of it. */
export interface AttributePlace {
  readonly attribute: Attribute
  readonly sub: Attribute | null
}

/** The name without the schema before it; null for a name of another schema. */
export const dropSchema = (
  name: string,
  { schema }: Pick<ResourceKind, 'schema'>,
): string | null => {
  if (!/^urn:/i.test(name)) return name
  const isOwn = isSameName(name.slice(0, schema.length + 1), `${schema}:`)
  return isOwn ? name.slice(schema.length + 1) : null
}

/** `name.givenName`, also with the schema before it; null where nothing has this name. */
export const findPlace = (named: string, kind: ResourceKind): AttributePlace | null => {
  const name = dropSchema(named, kind)
  const [, first = '', second] = /^([^.]*)(?:\.([^.]*))?$/.exec(name ?? '') ?? []
  const attribute = findAttribute(first, kind.attributes)
  if (attribute === undefined) return null
  if (second === undefined) return { attribute, sub: null }
  const sub = findAttribute(second, attribute.subAttributes)
  return sub === undefined ? null : { attribute, sub }
}

/** Whether a path leads to what is taken and not kept: another schema, or an attribute of the core. */
export const isUnkept = (path: string, kind: ResourceKind): boolean => {
  const name = dropSchema(path, kind)
  if (name === null) return true
  const [from, to] = [name.indexOf('['), name.lastIndexOf(']')]
  const plain = from < 0 || to < from ? name : name.slice(0, from) + name.slice(to + 1)
  return kind.unkept.some(
    (one) => isSameName(one, plain) || plain.toLowerCase().startsWith(`${one.toLowerCase()}.`),
  )
}

/** URNs have no case either (RFC 8141 section 3.1). */
export const isSchemaNamed = (given: unknown, schema: string): boolean =>
  Array.isArray(given) && given.some((one) => typeof one === 'string' && isSameName(one, schema))

/** The value of a member in any case of its name. */
export const readMember = (given: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(given, name)
    ? given[name]
    : Object.entries(given).find(([key]) => isSameName(key, name))?.[1]
