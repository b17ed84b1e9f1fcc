import { describe, expect, test } from 'vitest'
import { candidatesFor, type Names, type ServerChoice } from '../../../src/cli/completion/candidates.js'
import { COLUMN_TITLES } from '../../../src/cli/completion/column-titles.js'
import { readCommandTree } from '../../../src/cli/completion/manifest.js'
import { namesHere } from '../../../src/cli/completion/names.js'
import { runCommand, testEnvironment } from '../../support/command.js'
import { exampleGateway } from '../../support/example-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'

const tree = await readCommandTree('.')
let asked: ServerChoice | undefined
const names: Names = {
  ...namesHere({ ...testEnvironment(), clock: new ManualClock() }),
  async equipment(given) {
    asked = given
    return [{ value: 'etcher' }, { value: 'my asher' }]
  },
  async listed(what, equipment) {
    return [{ value: `${equipment}/${what}` }, { value: 'Chamber Pressure' }]
  },
  async labels() {
    return [{ value: 'area=etch' }, { value: 'area=litho' }, { value: 'bay=3' }]
  },
  async openAlarms() {
    return [{ value: '57' }, { value: '61' }]
  },
  async alids(equipment) {
    return [{ value: `${equipment}/4001` }]
  },
  async profiles() {
    return [{ value: 'local' }, { value: 'fab2' }]
  },
}

/** What is offered after a line; its last word is the one at the cursor. */
async function offered(line: string): Promise<string[]> {
  const words = line.split(' ')
  const { kind, values } = await candidatesFor(tree, words.slice(0, -1), words.at(-1) ?? '', names)
  return [...(kind === 'values' ? [] : [`(${kind})`]), ...values.map(({ value }) => value)]
}

test('alarms are offered by id, by ALID and by category', async () => {
  expect(await offered('alarms ack ')).toEqual(['57', '61'])
  expect(await offered('alarms ack 57 ')).toEqual(['61'])
  expect(await offered('alarms ack --equipment etcher --alid ')).toEqual(['etcher/4001'])
  expect(await offered('alarms list --category ')).toContain('personal-safety')
  expect(await offered('alarms disable etcher ')).toEqual(['etcher/4001'])
})

test('where a flag selects the equipment, the next argument is offered', async () => {
  expect(await offered('variables show -l area=etch ')).toEqual(['/variables', 'Chamber Pressure'])
  expect(await offered('send --all ')).toContain('S1F1')
  expect(await offered('clock show --all ')).toEqual([])
  expect(await offered('alarms enable --all ')).toContain('etcher')
})

test('equipment is offered as a word and as --equipment, and stands for the argument', async () => {
  expect(await offered('events tail ')).toEqual(['etcher', 'my asher'])
  expect(await offered('send --equipment ')).toEqual(['etcher', 'my asher'])
  expect(await offered('send --equipment etcher ')).toContain('S1F1')
  expect(await offered('alarms disable --equipment=etcher ')).toEqual(['etcher/4001'])
  expect(await offered('alarms list etcher --alid ')).toEqual(['etcher/4001'])
})

describe('commands', () => {
  test('are offered word by word, each once', async () => {
    const first = await offered('')
    expect(first).toEqual(expect.arrayContaining(['equipment', 'send', 'completion', 'explain', 'doctor']))
    expect(new Set(first).size).toBe(first.length)
    expect(await offered('equipment ')).toEqual(expect.arrayContaining(['list', 'show', 'connect']))
  })

  test('are offered by an alias only after its noun', async () => {
    const first = await offered('')
    for (const alias of ['eq', 'alarm', 'event', 'message', 'profile', 'user', '__complete']) {
      expect(first).not.toContain(alias)
    }
    expect(await offered('eq ')).toContain('connect')
    expect(await offered('alarm ')).toEqual(expect.arrayContaining(['ack', 'list']))
  })

  test('come with what they are about', async () => {
    const { values } = await candidatesFor(tree, [], '', names)
    for (const { value, description } of values) expect(description, value).toMatch(/.\.$/)
  })

  test('are offered after help, and nothing more', async () => {
    expect(await offered('help equipment ')).toContain('list')
    expect(await offered('help equipment list ')).toEqual([])
  })

  test('that there are not have nothing after them', async () => {
    expect(await offered('nonsense ')).toEqual([])
    expect(await offered('equipment nonsense ')).toEqual([])
  })
})

describe('flags', () => {
  test('are those of the command, less the ones given', async () => {
    expect(await offered('equipment list -')).toEqual(expect.arrayContaining(['--state', '--json', '--help']))
    expect(await offered('equipment list --state SELECTED --json -')).not.toContain('--json')
    expect(await offered('equipment list --state=SELECTED -')).not.toContain('--state')
    expect(await offered('events list --type alarm -')).toContain('--type')
  })

  test('have their values, after a space and after =', async () => {
    expect(await offered('events list --type ')).toEqual([
      'connection',
      'alarm',
      'state',
      'message',
      'gateway',
    ])
    expect(await offered('events list --type=')).toContain('--type=alarm')
    expect(await offered('equipment list -o ')).toEqual(['table', 'wide', 'tsv', 'csv', 'yaml', 'json'])
    expect(await offered('equipment list --limit ')).not.toContain('etcher')
  })

  test('that take a file leave it to the shell', async () => {
    expect(await offered('send etcher --file ')).toEqual(['(files)'])
    expect(await offered('journal verify --data ')).toEqual(['(files)'])
    expect(await offered('sml decode ')).toEqual(['(files)'])
  })

  test('end at --', async () => {
    expect(await offered('equipment show -- -')).toEqual(['etcher', 'my asher'])
  })

  test('with names of their own have those', async () => {
    expect(await offered('events tail --equipment ')).toEqual(['etcher', 'my asher'])
    expect(await offered('events wait --equipment etcher --collection-event ')).toContain(
      'etcher/collection-events',
    )
    expect(await offered('messages list --message ')).toContain('S6F11')
    expect(await offered('equipment update etcher --timer ')).toEqual(
      expect.arrayContaining(['(open)', 't3=']),
    )
  })
})

describe('titles of columns', () => {
  test('are offered after --columns, one after the other, and after --sort with a direction', async () => {
    expect(await offered('recipes list --columns ')).toEqual(['(open)', 'ppid'])
    expect(await offered('variables list etcher --columns=name,')).toEqual([
      '(open)',
      '--columns=name,id',
      '--columns=name,unit',
    ])
    expect(await offered('variables list etcher --sort ')).toEqual(['(open)', 'id', 'name', 'unit'])
    expect(await offered('variables list --sort name:')).toEqual(['(open)', 'name:asc', 'name:desc'])
    expect(await offered('top --sort ')).toContain('rate')
  })

  test('of several equipments are those with a column for it', async () => {
    expect(await offered('recipes list --all --columns ')).toEqual(['(open)', 'equipment', 'ppid'])
    expect(await offered('recipes list etch-* --sort ')).toEqual(['(open)', 'equipment', 'ppid'])
    expect(await offered('users list --columns ')).not.toContain('equipment')
  })

  const lists = Object.entries(tree.commands).filter(([, { flags }]) => flags?.['columns'])
  test.each(lists.map(([id]) => id))('of %s are those that it has', async (id) => {
    const gateway = exampleGateway()
    const variables = { SECSCTL_URL: await gateway.listen(), SECSCTL_TOKEN: 'example' }
    const words = Object.entries(tree.commands[id]?.args ?? {}).flatMap(([name, { required }]) =>
      name === 'equipment' ? ['etcher'] : required ? ['x'] : [],
    )
    const { stderr } = await runCommand([...id.split(':'), ...words, '--columns', 'nix'], { variables })
    await gateway.close()
    const [, titles = ''] = /there is ([A-Z, ]+)\n/.exec(stderr) ?? []
    expect(COLUMN_TITLES[id]).toEqual(titles.toLowerCase().split(', '))
  })
})

describe('labels', () => {
  test('are offered where one is given, and to remove where one is changed', async () => {
    const labels = ['area=etch', 'area=litho', 'bay=3']
    expect(await offered('equipment add x --label ')).toEqual(labels)
    expect(await offered('equipment update etcher --label ')).toEqual([...labels, 'area-', 'bay-'])
  })

  test('are offered as the last requirement of a selector', async () => {
    expect(await offered('equipment list -l ')).toEqual(['(open)', 'area=etch', 'area=litho', 'bay=3'])
    expect(await offered('events tail --selector area=etch,b')).toContain('area=etch,bay=3')
    expect(await offered('alarms list --selector=area!=')).toContain('--selector=area!=etch')
    expect(await offered('messages list -l area,bay!=')).toContain('area,bay!=3')
    const inSet = await candidatesFor(tree, ['messages', 'list', '-l'], 'bay in (1,', names)
    expect(inSet.values).toEqual([])
  })
})

describe('arguments', () => {
  test('are equipment, each once where several may be named', async () => {
    expect(await offered('equipment show ')).toEqual(['etcher', 'my asher'])
    expect(await offered('equipment connect etcher ')).toEqual(['my asher'])
    expect(await offered('equipment update etcher ')).toEqual(['my asher'])
    expect(await offered('equipment test etcher ')).toEqual([])
  })

  test('are asked of the server that the line names', async () => {
    await offered('--profile x send ')
    await offered('equipment show --profile fab2 ')
    expect(asked).toEqual({ profile: 'fab2' })
    await offered('equipment show --url=http://x ')
    expect(asked).toEqual({ url: 'http://x' })
    await offered('equipment show ')
    expect(asked).toEqual({})
  })

  test('of send are a message that a host sends, then its items', async () => {
    const messages = await offered('send etcher ')
    expect(messages).toContain('S2F41')
    expect(messages).not.toContain('S5F1')
    expect(messages).not.toContain('S2F42')
    const spooled = await offered('spool set etcher S5F1 ')
    expect(spooled).toContain('S6F11')
    expect(spooled).not.toContain('S2F41')
    expect(spooled).not.toContain('S6F12')
    expect(await offered('send etcher S2F41 ')).toEqual(
      expect.arrayContaining(['(open)', 'RCMD=', 'PARAMS=']),
    )
    expect(await offered('send etcher S2F41 RCMD=START ')).not.toContain('RCMD=')
    expect(await offered('send etcher S99F1 ')).toEqual(['(open)'])
  })

  test('of command are equipment, and then what only the equipment knows', async () => {
    expect(await offered('command ')).toEqual(['etcher', 'my asher'])
    expect(await offered('command etcher ')).toEqual([])
  })

  test('are what the equipment has, by name', async () => {
    expect(await offered('variables show etcher ')).toEqual(['etcher/variables', 'Chamber Pressure'])
    expect(await offered('traces run etcher etcher/variables ')).toEqual(['Chamber Pressure'])
    expect(await offered('limits set etcher ')).toContain('etcher/variables')
    expect(await offered('constant read etcher ')).toContain('etcher/constants')
    expect(await offered('reports enable etcher ')).toContain('etcher/collection-events')
    expect(await offered('reports preview etcher ')).toContain('etcher/collection-events')
    expect(await offered('constants set etcher etcher/constants=1 ')).toEqual(['(open)', 'Chamber Pressure='])
    expect(await offered('traces end etcher ')).toEqual([])
    expect(await offered('keys add ')).toEqual([])
  })

  test('are profiles, words to explain, messages and items, and shells', async () => {
    expect(await offered('profiles use ')).toEqual(['local', 'fab2'])
    expect(await offered('profile remove ')).toEqual(['local', 'fab2'])
    expect(await offered('profiles add ')).toEqual([])
    expect(await offered('explain ')).toEqual(
      expect.arrayContaining(['reply_timeout', 'T6', 'HCACK', 'S9F7']),
    )
    expect(await offered('catalogue describe ')).toEqual(expect.arrayContaining(['S2F41', 'HCACK']))
    expect(await offered('completion ')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
  })
})

test('whatever is typed, nothing is thrown', async () => {
  for (const line of [
    '-',
    '--',
    '-- ',
    '= ',
    'send --nonsense=1 ',
    'send etcher S999F999 ',
    'constructor ',
    'equipment __proto__ ',
  ]) {
    expect(Array.isArray(await offered(line).catch((error: Error) => error.message)), line).toBe(true)
  }
})
