import { Args } from '@oclif/core'
import { problemInResponse } from '../client/failures.js'
import { BASE_PATH, endpoints } from '../contract/endpoints.js'
import { defined } from '../kit/defined.js'
import type { Json } from '../kit/text/json.js'
import { outputFlag } from './base-command.js'
import { Failure, wrongUsage } from './errors/failure.js'
import { GatewayCommand } from './gateway-command.js'
import { required } from './input/arguments.js'
import { textFlag } from './input/flags.js'
import { readText } from './input/standard-input.js'
import { verb } from './verb.js'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'] as const

export const apiCommand = verb(GatewayCommand, {
  summary: 'Call the REST API with the gateway and token of the profile, and print the response.',
  examples: [
    'secsctl api GET /equipment',
    'secsctl api POST /equipment --data @etcher.json',
    'secsctl api GET /readyz',
  ],
  args: {
    method: Args.string({ required: true, ignoreStdin: true, description: METHODS.join(', ') }),
    path: required(`Below ${BASE_PATH}; /api/..., /healthz, /readyz and /metrics are used unchanged.`),
  },
  flags: {
    data: textFlag('BODY', 'JSON to send; @FILE reads it from a file, - from standard input.', { char: 'd' }),
    'idempotency-key': textFlag('KEY', 'Sent as Idempotency-Key.'),
    output: outputFlag(['json']),
  },
  async run(on, { args, flags }) {
    // The body and the query are written with the API's names.
    on.subject.wordOf = (pointer) => pointer || 'the body'
    const method = METHODS.find((known) => known === args.method.toUpperCase())
    if (!method) throw wrongUsage(`"${args.method}" is no method: ${METHODS.join(', ')}`)
    if (!args.path.startsWith('/')) throw wrongUsage(`the path "${args.path}" has to begin with /`)
    const absolute = /^\/(api|healthz|readyz|metrics)(\/|\?|$)/.test(args.path)
    const body = flags.data === undefined ? undefined : await bodyGiven(on, flags.data)
    const path = absolute ? args.path : BASE_PATH + args.path
    const client = await (needsLogin(path) ? on.client() : on.openClient())
    const { status, text } = await client.request(method, path, body, {
      idempotencyKey: flags['idempotency-key'],
    })
    const response = parsed(text)
    if (status < 300 && method === 'POST' && path === BASE_PATH + endpoints.refresh.path)
      await keep(on, response)
    if (status >= 400) {
      const problem = problemInResponse(status, response ?? null)
      if (problem) throw problem
      throw new Failure('unexpected', `${method} ${path} got ${status}`)
    }
    if (response === undefined) {
      if (text !== '') on.environment.stdout.isTTY ? on.print(text) : on.printAsIs(text)
    } else on.printJson(response)
  },
})

/** The token that was exchanged is no longer valid: without the new one the profile would be logged out. */
async function keep(on: GatewayCommand, response: Json | undefined): Promise<void> {
  const { token, expires_at } = (response ?? {}) as {
    readonly token?: unknown
    readonly expires_at?: unknown
  }
  if (typeof token !== 'string' || typeof expires_at !== 'string') return
  const server = await on.server()
  const found = await on.session.token(server)
  if (found?.source === 'SECSCTL_TOKEN' || found?.source === 'SECSCTL_TOKEN_FILE') {
    on.notice('The token of the environment ends now; the new one is in the response.')
    return
  }
  await on.session.keep(server, defined({ token, expires_at, secret: found?.secret }))
  on.note('The new token is kept.')
}

async function bodyGiven(on: GatewayCommand, given: string): Promise<string> {
  const text =
    given === '-' || given.startsWith('@')
      ? await readText(on.environment.stdin, given.replace(/^@/, ''), '--data')
      : given
  if (parsed(text) === undefined) throw wrongUsage('--data is not JSON')
  return text
}

const needsLogin = (path: string): boolean =>
  path.startsWith(`${BASE_PATH}/`) && path !== BASE_PATH + endpoints.login.path

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
