import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Failure } from '../../src/cli/errors/failure.js'
import { reportOf } from '../../src/cli/errors/report.js'
import { NoResponse, ResponseProblem, Unreachable } from '../../src/client/failures.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { ERRORS, type ErrorCode, NEXT_OPERATIONS, Problem } from '../../src/contract/errors.js'
import { EXIT_CODES } from '../../src/explanation/exit-codes.js'

/** What cli.md promises to scripts, by the codes of the API. */
const EXITS: Partial<Record<ErrorCode, number>> = {
  invalid_request: 2,
  unauthenticated: 4,
  forbidden: 4,
  equipment_not_found: 3,
  method_not_allowed: 2,
  equipment_name_taken: 5,
  cursor_expired: 1,
  revision_mismatch: 5,
  invalid_message: 2,
  rate_limited: 1,
  quota_exceeded: 1,
  internal_error: 1,
  transaction_aborted: 8,
  message_rejected: 8,
  equipment_error: 8,
  connection_lost: 8,
  equipment_unowned: 1,
  equipment_busy: 1,
  reply_timeout: 7,
}

test.each(Object.entries(EXITS))('%s ends with %i', (code, exit) => {
  expect(reportOf(new Problem(code as ErrorCode, 'why')).exit).toBe(exit)
})

test('every error of the API has an exit code of its own kind', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    expect(reportOf(new Problem(code, 'why')).exit).toBeGreaterThanOrEqual(1)
    expect(reportOf(new Problem(code, 'why')).exit).toBeLessThanOrEqual(9)
  }
})

test('a gateway that does not answer ends with 6', () => {
  expect(reportOf(new Unreachable('http://x', 'nothing listens there')).exit).toBe(6)
})

test('the command to try next names the equipment', () => {
  const { lines } = reportOf(new Problem('equipment_not_connected', 'etcher is not connected.'), {
    equipment: 'etcher',
  })
  expect(lines).toEqual(['Error: etcher is not connected.', 'Try: secsctl equipment connect etcher'])
})

test('the faults of an invalid request are reported in lines, a single one in the first', () => {
  const errors = [
    { pointer: '/port', detail: 'must be an integer from 1 to 65535' },
    { pointer: '/name', detail: 'is missing' },
  ]
  const lines = (faults: typeof errors) =>
    reportOf(new Problem('invalid_request', 'Not valid.', { errors: faults })).lines
  expect(lines(errors)).toEqual([
    'Error: The request is not valid:',
    '  /port must be an integer from 1 to 65535',
    '  /name is missing',
  ])
  expect(lines(errors.slice(1))).toEqual(['Error: /name is missing'])
})

test('a problem that was answered goes to programs as it came, with the command to try', () => {
  const body = { type: 'about:blank', status: 409, code: 'brand_new', detail: 'why', future: true }
  expect(reportOf(new ResponseProblem('internal_error', 'why', {}, 409, body)).problem).toEqual({
    ...body,
    hint: 'secsctl daemon logs',
  })
})

test('no stack is told', () => {
  const { lines, problem } = reportOf(new TypeError('x is not a function'))
  expect(JSON.stringify([lines, problem])).not.toContain('.ts')
  expect(reportOf(new Failure('usage', 'no')).exit).toBe(2)
})

test('the call that an error names is the command to try', () => {
  const next = [{ operation: 'listVariables', parameters: { id: 'eq_1' } }] as const
  const problem = new Problem('invalid_message', 'track has no variable named X.', { next })
  expect(reportOf(problem, { equipment: 'my track' }).hint).toBe("secsctl variables list 'my track'")
  expect(reportOf(problem).hint).toBe('secsctl variables list eq_1')
})

test('the structure of the message is the command to try where the body does not fit', () => {
  const problem = new Problem('invalid_message', 'S1F3: X is not known here')
  expect(reportOf(problem, { message: 'S1F3' }).hint).toBe('secsctl catalogue describe S1F3')
  expect(reportOf(problem).hint).toBeUndefined()
})

test('where nothing answers elsewhere, this machine is not looked at', () => {
  const hint = (url: string) => reportOf(new Unreachable(url, 'no answer')).lines.at(-1)
  expect(hint('http://127.0.0.1:7327')).toBe('Try: secsctl daemon status')
  expect(hint('https://gateway.example')).toBe('Try: curl -v https://gateway.example/readyz')
})

test('the command to log in is for the server that was meant', () => {
  const server = { flags: ' --profile fab2', local: false }
  const lines = (code: ErrorCode) => reportOf(new Problem(code, 'why'), { server }).lines.at(-1)
  expect(lines('unauthenticated')).toBe('Try: secsctl login --profile fab2')
  expect(lines('forbidden')).toBe('Try: secsctl whoami --profile fab2')
  const silent = new Unreachable('http://127.0.0.1:1', 'no answer')
  expect(reportOf(silent, { server }).lines.at(-1)).toBe('Try: curl -v http://127.0.0.1:1/readyz')
})

test('of an equipment that is being connected, its address is tried', () => {
  const { lines } = reportOf(new Problem('equipment_not_connected', 'etcher is CONNECTING.'), {
    equipment: 'etcher',
    dialled: '10.0.0.5:5000',
  })
  expect(lines.at(-1)).toBe('Try: secsctl equipment test 10.0.0.5:5000')
})

test('what may have been sent is looked up before it is sent again', () => {
  const lost = new NoResponse(new Unreachable('http://127.0.0.1:1', 'It hung up.'), 'message')
  expect(reportOf(lost, { equipment: 'etcher', server: { flags: '', local: true } })).toMatchObject({
    exit: 6,
    lines: [
      'Error: It hung up. The message may have been sent, and the equipment may have acted on it.',
      'Try: secsctl messages list --equipment etcher --limit 5',
    ],
  })
})

test('what the equipment did wrong is explained by a command, and so is what nothing mends', () => {
  const lines = (code: ErrorCode) => reportOf(new Problem(code, 'why'), { equipment: 'etcher' }).lines
  expect(lines('reply_timeout').slice(1)).toEqual([
    'Try: secsctl equipment show etcher',
    'Why: secsctl explain reply_timeout',
  ])
  expect(lines('last_admin').slice(1)).toEqual(['Try: secsctl explain last_admin'])
  expect(lines('forbidden').slice(1)).toEqual(['Try: secsctl whoami'])
})

test('a name that a shell would split or expand is quoted in the command to try', () => {
  const next = (equipment: string) => reportOf(new Problem('connection_lost', 'why'), { equipment }).lines[1]
  expect(next('my asher')).toBe("Try: secsctl equipment show 'my asher'")
  expect(next("it's $&")).toBe("Try: secsctl equipment show 'it'\\''s $&'")
})

test('docs/rest-api.md lists every error', () => {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, kind, title }]) => `| ${status} | \`${code}\` | ${EXIT_CODES[kind]} | ${title} |\n`,
  )
  expect(readFileSync('docs/rest-api.md', 'utf8')).toContain(rows.join(''))
})

test('docs/scripting.md lists every exit code', () => {
  const page = readFileSync('docs/scripting.md', 'utf8')
  for (const code of Object.values(EXIT_CODES)) expect(page).toContain(`\n| ${code} | `)
})

test('the calls that an error names are calls of the API', () => {
  expect(Object.keys(endpoints)).toEqual(expect.arrayContaining([...NEXT_OPERATIONS]))
})
