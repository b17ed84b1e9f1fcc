import { Args, Flags } from '@oclif/core'
import { outputFlag } from '../src/cli/base-command.js'
import { Failure, wrongUsage } from '../src/cli/errors/failure.js'
import { GatewayCommand } from '../src/cli/gateway-command.js'
import { required } from '../src/cli/input/arguments.js'
import { readText } from '../src/cli/input/standard-input.js'
import { answeredProblem } from '../src/client/failures.js'
import { BASE_PATH, endpoints } from '../src/contract/endpoints.js'
import { defined } from '../src/kit/defined.js'
import type { Json } from '../src/kit/text/json.js'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'] as const

export default class ApiCommand extends GatewayCommand {
  static override summary =
    'Call the REST API with the gateway and token of the profile, and print the answer.'
  static override examples = [
    'secsctl api GET /equipment',
    'secsctl api POST /equipment --data @etcher.json',
    'secsctl api GET /readyz',
  ]
  static override args = {
    method: Args.string({ required: true, ignoreStdin: true, description: METHODS.join(', ') }),
    path: required(`Below ${BASE_PATH}; /api/..., /healthz, /readyz and /metrics are taken as they are.`),
  }
  static override flags = {
    data: Flags.string({
      char: 'd',
      helpValue: 'BODY',
      summary: 'JSON to send; @FILE reads it from a file, - from standard input.',
    }),
    'idempotency-key': Flags.string({ helpValue: 'KEY', summary: 'Sent as Idempotency-Key.' }),
    output: outputFlag(['json']),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApiCommand)
    // The body and the query are written with the API's names.
    this.subject.wordOf = (pointer) => pointer || 'the body'
    const method = METHODS.find((known) => known === args.method.toUpperCase())
    if (!method) throw wrongUsage(`"${args.method}" is no method: ${METHODS.join(', ')}`)
    if (!args.path.startsWith('/')) throw wrongUsage(`the path "${args.path}" has to begin with /`)
    const absolute = /^\/(api|healthz|readyz|metrics)(\/|\?|$)/.test(args.path)
    const body = flags.data === undefined ? undefined : await this.#body(flags.data)
    const path = absolute ? args.path : BASE_PATH + args.path
    const client = await (needsLogin(path) ? this.client() : this.openClient())
    const { status, text } = await client.request(method, path, body, {
      idempotencyKey: flags['idempotency-key'],
    })
    const answer = parsed(text)
    if (status < 300 && method === 'POST' && path === BASE_PATH + endpoints.refresh.path)
      await this.#keep(answer)
    if (status >= 400) {
      const problem = answeredProblem(status, answer ?? null)
      if (problem) throw problem
      throw new Failure('unexpected', `${method} ${path} was answered with ${status}`)
    }
    if (answer === undefined) {
      if (text !== '') this.environment.stdout.isTTY ? this.print(text) : this.printAsIs(text)
    } else this.printJson(answer)
  }

  /** The token that was exchanged is no longer valid: without the new one the profile would be logged out. */
  async #keep(answer: Json | undefined): Promise<void> {
    const { token, expires_at } = (answer ?? {}) as {
      readonly token?: unknown
      readonly expires_at?: unknown
    }
    if (typeof token !== 'string' || typeof expires_at !== 'string') return
    const server = await this.server()
    const found = await this.session.token(server)
    if (found?.source === 'SECSCTL_TOKEN' || found?.source === 'SECSCTL_TOKEN_FILE') {
      this.notice('The token of the environment ends now; the new one is in the answer.')
      return
    }
    await this.session.keep(server, defined({ token, expires_at, secret: found?.secret }))
    this.note('The new token is kept.')
  }

  async #body(given: string): Promise<string> {
    const text =
      given === '-' || given.startsWith('@')
        ? await readText(this.environment.stdin, given.replace(/^@/, ''), '--data')
        : given
    if (parsed(text) === undefined) throw wrongUsage('--data is not JSON')
    return text
  }
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
