import { endpoints } from '../../contract/endpoints.js'
import { CONNECTION_STATES, type Equipment, HEALTHS } from '../../contract/equipment.js'
import { MAX_LOCK_SECONDS } from '../../contract/equipment-lock.js'
import { isTapInUse, tapInUseText } from '../../contract/tap-words.js'
import { whoDials } from '../../inspection/dialling.js'
import { defined } from '../../kit/defined.js'
import { argumentWord } from '../../kit/shell-word.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { required, SEVERAL_EQUIPMENT } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { choiceFlag, choicesFlag, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { verb } from '../verb.js'
import { settledAtOnce } from './calls-at-once.js'
import { equipmentVerb } from './equipment-command.js'
import { EQUIPMENT_FLAGS, EQUIPMENT_WORDS, equipmentGiven, parseAddress } from './equipment-flags.js'
import { byName, equipmentNamed } from './equipment-name.js'
import { equipmentColumns, equipmentFields, lockColumns } from './equipment-output.js'
import { CHANGE_FLAGS, mayBeSeveral, TARGET_FLAGS } from './equipment-targets.js'
import { withOwnMappings } from './fab-mappings.js'
import { labelChange, newLabels, SELECTOR_FLAG, selectorGiven } from './label-flags.js'
import { sharedAddressNotes } from './shared-address.js'
import { tapNotes } from './tap-flags.js'
import { TRAFFIC_COLUMNS, trafficFields, trafficRows } from './traffic-output.js'
import { namesOf, withUnreached } from './unreached.js'

export const equipmentAdd = verb(GatewayCommand, {
  summary: 'Register equipment.',
  examples: [
    'secsctl equipment add etcher --address 10.0.0.5:5000',
    'secsctl equipment add coater --address 10.0.0.6:5001 --mode active',
    'secsctl equipment add oven --address 10.0.0.7:5000 --timer t3=20s',
    'secsctl equipment add etch-17 --address 10.0.0.8:5000 --label area=etch',
    'secsctl equipment add prober --address 10.0.0.9:4001 --transport secs1-tcp',
    'secsctl equipment add bonder --serial-port /dev/ttyUSB0 --baud-rate 19200',
  ],
  args: { name: required('Its name, 1 to 64 characters.') },
  flags: {
    ...REASON_FLAG,
    address: textFlag(
      'HOST:PORT',
      'Where it listens (passive), or its address and the port it dials (active).',
      { exactlyOne: ['address', 'serial-port'] },
    ),
    ...EQUIPMENT_FLAGS,
  },
  words: EQUIPMENT_WORDS,
  async run(on, { args, flags }) {
    const body = {
      name: args.name,
      ...(flags.address !== undefined && parseAddress(flags.address, '--address')),
      ...equipmentGiven(flags),
      ...(flags.label && { labels: newLabels(flags.label) }),
    }
    const added = await on.call(endpoints.createEquipment, { body })
    await on.printOne(added, equipmentColumns(on.formatTime))
    on.note(whoDials(added))
    for (const note of tapNotes(added)) on.note(note)
    if (on.format !== 'json')
      for (const note of sharedAddressNotes([added.name], await on.allEquipment())) on.note(note)
    on.note(`Next: secsctl equipment connect ${argumentWord(added.name)}`)
  },
})

export const equipmentList = verb(GatewayCommand, {
  summary: 'List the equipment that is registered.',
  examples: [
    'secsctl equipment list',
    'secsctl equipment list -l area=etch,bay!=3',
    'secsctl equipment list --health degraded,failing',
    'secsctl equipment list --columns name,health,labels --sort health',
    'secsctl equipment list --sort health --watch 5s',
    'secsctl equipment list -o csv',
    "secsctl equipment list --json | jq -r '.[].id'",
  ],
  flags: {
    ...LIST_OUTPUT_FLAGS,
    state: choiceFlag(CONNECTION_STATES, 'Only equipment in this connection state.'),
    health: choicesFlag(HEALTHS, 'Only equipment with this health; several with commas.', { delimiter: ',' }),
    selector: SELECTOR_FLAG,
  },
  async run(on, { flags }) {
    const { state, health } = flags
    const narrowed = {
      ...(state && { connection_state: state }),
      ...(health && { health }),
      ...selectorGiven(flags.selector),
    }
    const none = 'No equipment yet: secsctl equipment add NAME --address HOST:PORT'
    const found = await on.allEquipment(narrowed)
    await on.printList(
      // JSON is what the API returns, in its order.
      on.format === 'json' ? found : byName(found),
      equipmentColumns(on.formatTime),
      Object.keys(narrowed).length === 0 ? none : 'No such equipment.',
    )
  },
})

export const equipmentShow = equipmentVerb({
  summary: 'Show equipment: who dials, its states, its settings, and its last error.',
  examples: [
    'secsctl equipment show etcher',
    'secsctl equipment show etcher --json',
    'secsctl equipment show etcher -o yaml',
    "secsctl equipment show 'etch-*'",
  ],
  flags: { ...TARGET_FLAGS, output: outputFlag(RECORD_FORMATS) },
  recordsAreTables: false,
  async one(on, { args }) {
    const equipment = await on.equipment(args.equipment)
    on.printRecord(equipment, equipmentFields(equipment, on.formatTime))
  },
})

export const equipmentUpdate = verb(GatewayCommand, {
  summary: 'Change registered equipment; settings that you do not give stay.',
  description:
    'For several equipments, it asks first and makes the same change in each; you can change a name, an address and a serial port only for one.',
  examples: [
    'secsctl equipment update etcher --tap-listen 6000 --tap-host 10.0.0.9',
    'secsctl equipment update etcher --name etcher-1',
    'secsctl equipment update etcher --address 10.0.0.9:5000 --timer t3=20s',
    'secsctl equipment update etcher --label bay=4 --label spare-',
    'secsctl equipment update etcher --tap-listen 6000 --tap-host 10.0.0.9',
    "secsctl equipment update 'etch-*' --timer t3=60s",
    'secsctl equipment update -l area=etch --label bay=4 --yes',
  ],
  args: { equipment: SEVERAL_EQUIPMENT },
  strict: false,
  flags: {
    ...REASON_FLAG,
    ...CHANGE_FLAGS,
    name: textFlag('NAME', 'A new name.'),
    address: textFlag('HOST:PORT', 'A new address and port.'),
    ...EQUIPMENT_FLAGS,
    label: textsFlag(
      'KEY=VALUE',
      'A label, such as bay=4; KEY- removes one. May be repeated; other labels stay.',
    ),
  },
  words: EQUIPMENT_WORDS,
  async run(on, { words: given, flags, raw }) {
    const body = {
      ...defined({ name: flags.name }),
      ...(flags.address !== undefined && parseAddress(flags.address, '--address')),
      ...equipmentGiven(flags),
      ...(flags.label && { labels: labelChange(flags.label) }),
    }
    if (Object.keys(body).length === 0) throw wrongUsage('nothing to change: add a flag')
    const chosen = await on.chosen(given, flags.all, flags.selector)
    const [own] = (['name', 'address', 'serial-port'] as const).filter((flag) => flags[flag] !== undefined)
    if (chosen.length > 1 && own !== undefined)
      throw wrongUsage(`--${own} is for one equipment, and ${chosen.length} are meant`)
    if (!(await on.goesOn(chosen, flags, chosen.length > 1, raw))) return
    const client = await on.client()
    const { done, failure } = await settledAtOnce(chosen, ({ id }) =>
      client.call(endpoints.updateEquipment, { params: { id }, body }),
    )
    const isOne = given.length === 1 && !mayBeSeveral(given[0] ?? '')
    const [only] = done
    if (isOne && only) {
      await on.printOne(only, equipmentColumns(on.formatTime))
      for (const note of body.tap ? tapNotes(only) : []) on.note(note)
    } else if (done.length > 0) await on.printList(done, equipmentColumns(on.formatTime), '')
    if (chosen.length > 1) {
      const changed = new Set(done.map(({ id }) => id))
      const left = chosen.filter(({ id }) => !changed.has(id))
      const rest = left.length === 0 ? '' : ` Not changed: ${namesOf(left)}.`
      on.note(`${done.length} of ${chosen.length} changed.${rest}`)
    }
    if (failure !== undefined) throw withUnreached(failure, 'Not changed', chosen, done)
  },
})

export const equipmentRemove = verb(GatewayCommand, {
  summary: 'Disconnect and remove equipment; its history stays.',
  description:
    'It asks first; --yes answers. With --yes, a beginning of a name is not enough. Tapped equipment whose host works with it is removed only with --force: that host is cut off.',
  examples: [
    'secsctl equipment remove etcher --yes',
    "secsctl equipment remove 'old-*' --dry-run",
    'secsctl equipment remove -l area=scrap --yes',
  ],
  args: { equipment: SEVERAL_EQUIPMENT },
  strict: false,
  flags: {
    force: switchFlag('Also remove tapped equipment whose host works with it: that host is cut off.'),
    ...REASON_FLAG,
    ...CHANGE_FLAGS,
  },
  async run(on, { words: given, flags }) {
    const chosen = await on.chosen(given, flags.all, flags.selector)
    // A script that runs twice must not take the next one whose name begins alike.
    const words = given.flatMap((text) => text.split(',')).filter((word) => !mayBeSeveral(word))
    const begun = words.find((word) => !chosen.some(({ id, name }) => word === id || word === name))
    if (flags.yes && begun !== undefined && !chosen.some(({ name }) => given.includes(name)))
      throw wrongUsage(`"${begun}" only begins ${namesOf(chosen)}: with --yes, give all of it`)
    if (!(await on.goesOn(chosen, flags, false))) return
    if (!flags.force) refuseInUse(chosen)
    const [only] = chosen
    const isOne = given.length === 1 && !mayBeSeveral(given[0] ?? '')
    const question =
      isOne && only
        ? `Remove the equipment ${only.name} (${only.id})?`
        : `Remove ${chosen.length} equipment (${namesOf(chosen)})?`
    await on.confirmed(question, flags.yes)
    const client = await on.client()
    const { done, failure } = await settledAtOnce(chosen, async (one) => {
      const query = flags.force ? { force: true } : {}
      await client.call(endpoints.deleteEquipment, { params: { id: one.id }, query })
      return one
    })
    if (isOne && only && failure === undefined)
      return on.printDone({ removed: only.id }, `removed ${only.name} (${only.id})`)
    const removed = done.map(({ id }) => id)
    if (failure === undefined || done.length > 0)
      on.printDone({ removed }, `removed ${done.length} of ${chosen.length}: ${namesOf(done)}`)
    if (failure !== undefined) throw withUnreached(failure, 'Not removed', chosen, done)
  },
})

/** Throws, before anything is removed, for tapped equipment whose host works with it. */
function refuseInUse(chosen: readonly Equipment[]): void {
  const used = chosen.filter(isTapInUse)
  const [first] = used
  if (!first) return
  const texts = used.map(({ name, tap }) => tapInUseText(name, tap))
  throw new Failure(
    'state',
    `${texts.join('; ')}. Nothing was removed. Disconnect it first, or add --force.`,
    `secsctl equipment disconnect ${argumentWord(first.name)}`,
  )
}

export const equipmentTraffic = equipmentVerb({
  summary: 'Count messages, timeouts and errors between the gateway and equipment.',
  description:
    'Counts since the gateway started, or since the equipment was registered. /metrics has the same counts.',
  examples: ['secsctl equipment traffic etcher', 'secsctl equipment traffic etcher --json'],
  flags: TARGET_FLAGS,
  async one(on, { args }) {
    const traffic = await on.ask(endpoints.getTraffic, args.equipment)
    on.printRecord(traffic, trafficFields(traffic, on.formatTime))
    if (on.format === 'json') return
    if (on.format === 'table') on.print('')
    await on.printList(trafficRows(traffic), TRAFFIC_COLUMNS, 'Nothing has passed yet.')
  },
})

export const equipmentLock = equipmentVerb({
  summary: 'Lock equipment for everybody else, for example during maintenance.',
  description:
    'Until the lock ends, commands of others that change the equipment or send it messages fail with exit code 5 and say who locked it and why. Others can still read and acknowledge alarms, and the gateway itself continues. Repeat the command to set another end. The lock ends by itself, with `equipment unlock`, or when an administrator breaks it.',
  examples: [
    "secsctl equipment lock etch-17 --for 10m --reason 'pump exchange'",
    "secsctl equipment lock -l area=etch --for 2h --reason 'gas off' --yes",
  ],
  flags: {
    for: textFlag('DURATION', 'How long, such as 10m or 2h: 24h at most.', { required: true }),
    reason: textFlag('TEXT', 'Why, for everybody who is refused and for the audit: 200 characters at most.', {
      required: true,
    }),
    ...CHANGE_FLAGS,
  },
  async one(on, { args, flags }) {
    const for_seconds = parseDuration(flags.for, '--for') / 1000
    if (for_seconds < 1 || for_seconds > MAX_LOCK_SECONDS)
      throw wrongUsage(`--for takes 1s to ${MAX_LOCK_SECONDS / 3600}h, not "${flags.for}"`)
    const body = { for_seconds, reason: flags.reason }
    const lock = await on.ask(endpoints.lockEquipment, args.equipment, {}, { body })
    await on.printOne(lock, lockColumns(on.formatTime))
  },
})

export const equipmentUnlock = equipmentVerb({
  summary: 'Release the lock of equipment before it ends.',
  description:
    'Releases your own lock; administrators may use --force to release the lock of somebody else. It is no error if the equipment is not locked.',
  examples: [
    'secsctl equipment unlock etch-17',
    "secsctl equipment unlock etch-17 --force --reason 'gas alarm'",
  ],
  flags: {
    force: switchFlag('Also break the lock of somebody else; needs --reason.'),
    ...REASON_FLAG,
    ...CHANGE_FLAGS,
  },
  async one(on, { args, flags }) {
    if (flags.force && flags.reason === undefined) throw wrongUsage('--force needs --reason')
    const equipment = await on.equipment(args.equipment)
    const query = flags.force ? { force: true } : {}
    await on.ask(endpoints.unlockEquipment, equipment, {}, { query })
    const { id, name, lock } = equipment
    on.printDone({ unlocked: id }, lock ? `${name} is not locked any more` : `${name} was not locked`)
  },
})

export const equipmentDisconnect = verb(GatewayCommand, {
  summary: 'End the connection to equipment and do not try again.',
  description: 'It asks before it does this to more than one; --yes answers.',
  examples: [
    'secsctl equipment disconnect etcher',
    "secsctl equipment disconnect 'etch-*'",
    'secsctl equipment disconnect --all --yes',
  ],
  args: { equipment: SEVERAL_EQUIPMENT },
  strict: false,
  flags: { ...REASON_FLAG, ...CHANGE_FLAGS },
  async run(on, { words, flags }) {
    const chosen = await on.chosen(words, flags.all, flags.selector)
    if (!(await on.goesOn(chosen, flags, chosen.length > 1))) return
    const client = await on.client()
    const { done, failure } = await settledAtOnce(chosen, ({ id }) =>
      client.call(endpoints.disconnectEquipment, { params: { id } }),
    )
    if (failure === undefined || done.length > 0)
      await on.printList(done, equipmentColumns(on.formatTime), 'No equipment to disconnect.')
    if (failure !== undefined) throw withUnreached(failure, 'Not disconnected', chosen, done)
  },
})

export const equipmentExport = verb(GatewayCommand, {
  summary: 'Print registered equipment as the file that `equipment apply` reads.',
  description:
    'Prints all equipment, or the named or selected equipment, with settings, labels and the mapping of 300 mm equipment (`gem300 map`), and without ids and states. YAML, or JSON with --json.',
  examples: [
    'secsctl equipment export > fab.yaml',
    "secsctl equipment export -l 'area=etch' > etch.yaml",
    'secsctl equipment export etcher --json',
  ],
  args: { equipment: SEVERAL_EQUIPMENT },
  strict: false,
  flags: { selector: SELECTOR_FLAG, output: outputFlag(['yaml', 'json']) },
  async run(on, { words, flags }) {
    // YAML takes long to load.
    const { exported, fabText } = await import('./fab-file.js')
    const found = byName(await on.allEquipment(selectorGiven(flags.selector)))
    const chosen =
      words.length === 0 ? found : [...new Set(words.map((name) => equipmentNamed(String(name), found)))]
    const all = await withOwnMappings(on, chosen)
    if (on.format === 'json') on.printJson(exported(all))
    else if (on.environment.stdout.isTTY) on.print(fabText(all))
    else on.printAsIs(fabText(all))
  },
})
