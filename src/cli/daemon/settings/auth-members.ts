import { LOCAL_LOGINS } from '../../../contract/topics/accounts/sign-on.js'

export type MemberKind = 'text' | 'https' | 'proxy' | 'path' | 'texts' | 'duration'

interface Member {
  readonly kind: MemberKind
  readonly required?: true
  readonly default?: string | readonly string[]
  /** As a person would write it, where there is no default. */
  readonly example?: string
  readonly text: string
}

/** The members of `auth.oidc` in the configuration file. */
const OIDC_MEMBERS = {
  issuer: {
    kind: 'https',
    required: true,
    example: 'https://login.fab.example/realms/fab',
    text: 'The address of the identity provider, as its discovery document names it.',
  },
  client_id: { kind: 'text', required: true, example: 'secsctl', text: 'The client of the gateway there.' },
  client_secret_file: {
    kind: 'path',
    example: '/etc/secsctl/oidc-secret',
    text: 'Contains the secret of the client. Leave it out for a client without one.',
  },
  public_url: {
    kind: 'https',
    required: true,
    example: 'https://gateway.fab.example:7327',
    text: 'Where browsers reach the gateway, or the balancer in front of it.',
  },
  name: { kind: 'text', default: 'SSO', text: 'What people call the accounts, for the button of the page.' },
  scopes: { kind: 'texts', default: ['openid', 'profile', 'email'], text: 'Has to contain openid.' },
  groups_claim: {
    kind: 'text',
    default: 'groups',
    text: 'The claim with the groups; dots lead into objects, such as realm_access.roles.',
  },
  ca: {
    kind: 'path',
    example: '/etc/secsctl/fab-ca.pem',
    text: 'Trust only certificates of the provider that these authorities (PEM) have issued.',
  },
  proxy: {
    kind: 'proxy',
    example: 'http://proxy.fab.example:3128',
    text: 'The HTTP proxy on the way to the provider.',
  },
  token_lifetime: {
    kind: 'duration',
    default: '10m',
    text: 'How long a token is good for before the provider is asked again.',
  },
  session_lifetime: {
    kind: 'duration',
    default: '12h',
    text: 'How long a session goes on before the user has to sign on again.',
  },
} as const satisfies Record<string, Member>

export type OidcMember = keyof typeof OIDC_MEMBERS

export const OIDC_NAMES = Object.keys(OIDC_MEMBERS) as readonly OidcMember[]

export const memberOf = (name: OidcMember): Member => OIDC_MEMBERS[name]

const TEXT = { type: 'string', minLength: 1 }
const TEXTS = { type: 'array', items: TEXT }

/** The JSON Schema of `auth`, for editors. */
export const authSchema = (): object => ({
  description: 'Sign-on with the accounts of the company (OpenID Connect), and what its groups may do.',
  type: 'object',
  additionalProperties: false,
  properties: {
    local: {
      description: 'Whose passwords are taken: of all local users, or only of local administrators.',
      enum: LOCAL_LOGINS,
      default: LOCAL_LOGINS[0],
    },
    oidc: {
      description: 'The identity provider.',
      type: 'object',
      additionalProperties: false,
      required: OIDC_NAMES.filter((name) => memberOf(name).required),
      properties: Object.fromEntries(
        OIDC_NAMES.map((name) => {
          const { kind, text, default: value, example } = memberOf(name)
          const given = value === undefined ? { examples: [example] } : { default: value }
          return [name, { description: text, ...(kind === 'texts' ? TEXTS : TEXT), ...given }]
        }),
      ),
    },
    roles: {
      description: 'The first rule that names a group of the user applies; without one, there is no access.',
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['group', 'role'],
        properties: {
          group: { description: 'The whole name of the group, as the provider sends it.', ...TEXT },
          role: { enum: ['viewer', 'operator', 'engineer', 'admin'] },
          labels: { description: 'Only equipment with these labels, such as area=etch.', ...TEXT },
        },
      },
    },
  },
})

/** The part of the sample file about `auth`. */
export const AUTH_SAMPLE = `# Sign-on with the accounts of the company (OpenID Connect): docs/secure.md has the steps.
#auth:
#  # Whose passwords are taken: everybody, or admins-only.
#  local: everybody
#  oidc:
${OIDC_NAMES.map((name) => {
  const { text, default: value, example } = memberOf(name)
  const given = value === undefined ? example : Array.isArray(value) ? `[${value.join(', ')}]` : value
  return `#    # ${text}\n#    ${name}: ${given}\n`
}).join('')}#  # The first rule that names a group of the user applies; without one, there is no access.
#  roles:
#    - { group: fab-admins, role: admin }
#    - { group: fab-etch-eng, role: engineer, labels: 'area=etch' }
`
