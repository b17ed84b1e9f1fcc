import type { Reply } from '../../contract/endpoint.js'
import { endpoints } from '../../contract/endpoints.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { printObjectResult } from '../gem300/object-result.js'
import { required } from '../input/arguments.js'
import { textFlag, textsFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { parseParameters } from '../input/parameters.js'
import type { Column } from '../output/output.js'

const TYPE_ARGUMENT = required('OBJTYPE, such as Substrate.')
const SPECIFIER = textFlag('OBJSPEC', 'The object that owns the others (OBJSPEC); empty unless given.')
const EXAMPLE = 'LotID=L1'

interface ObjectType {
  readonly type: string
  readonly attributes: readonly string[]
}

const TYPE_COLUMNS: readonly Column<ObjectType>[] = [
  { title: 'TYPE', text: ({ type }) => type },
  { title: 'ATTRIBUTES', text: ({ attributes }) => attributes.join(' ') },
]

const specifierGiven = (specifier: string | undefined) => (specifier === undefined ? {} : { specifier })

export const objectsTypes = equipmentVerb({
  summary: 'List the types of objects in equipment, and their attributes (S14F5, S14F7).',
  examples: ['secsctl objects types etcher'],
  flags: { ...LIST_OUTPUT_FLAGS, ...READS, specifier: SPECIFIER },
  async one(on, { args, flags }) {
    const query = specifierGiven(flags.specifier)
    const { items } = await on.ask(endpoints.listObjectTypes, args.equipment, flags, { query })
    await on.printList(items, TYPE_COLUMNS, 'No types of objects.')
  },
})

/** Each object with its attributes; a refusal is also the exit code. */
function printObjects(on: EquipmentCommand, told: Reply<typeof endpoints.getObjects>): void {
  const fields = told.objects.flatMap(({ object_id, attributes }) => [
    ['object', object_id] as const,
    ...attributes.map(({ name, text }) => [name, text] as const),
  ])
  printObjectResult(on, told, fields)
}

export const objectsGet = equipmentVerb({
  summary: 'Get attributes of objects (S14F1); exit code 8 when refused.',
  description:
    '--filter has the equipment choose: ATTRID, one of = != < <= > >= ~ (the value is among those of the attribute) !~, and a number, true, false, text, text in quotes, or a typed item such as {"U1":[1]}.',
  usage: 'objects get EQUIPMENT TYPE',
  examples: [
    'secsctl objects get etcher Substrate --object W1',
    'secsctl objects get etcher ProcessJob --attribute PRJobState',
    "secsctl objects get etcher Substrate --filter 'SubstState>=1'",
  ],
  args: { type: TYPE_ARGUMENT },
  flags: {
    ...READS,
    object: textsFlag('OBJID', 'Only this object. May be repeated.'),
    attribute: textsFlag('ATTRID', 'Only this attribute. May be repeated.'),
    filter: textsFlag('CONDITION', 'Only objects of which this is true. May be repeated: all have to be.'),
    specifier: SPECIFIER,
  },
  async one(on, { args: { equipment, type }, flags }) {
    const query = {
      type,
      ...(flags.object && { object: flags.object }),
      ...(flags.attribute && { attribute: flags.attribute }),
      ...(flags.filter && { filter: flags.filter }),
      ...specifierGiven(flags.specifier),
    }
    printObjects(on, await on.ask(endpoints.getObjects, equipment, flags, { query }))
  },
})

export const objectsSet = equipmentVerb({
  summary: 'Set attributes of an object (S14F3); exit code 8 when refused.',
  usage: 'objects set EQUIPMENT TYPE OBJECT [KEY=VALUE...]',
  examples: ['secsctl objects set etcher Substrate W1 LotID=L1'],
  args: { type: TYPE_ARGUMENT, object: required('OBJID.') },
  flags: { ...CHANGES, specifier: SPECIFIER },
  words: { '/attributes': 'KEY=VALUE', '/attributes/': '*', '/objects/0': 'OBJECT' },
  async one(on, { args: { equipment, type, object }, flags, words }) {
    const attributes = parseParameters(words.slice(3), undefined, EXAMPLE)
    const body = { type, objects: [object], attributes, ...specifierGiven(flags.specifier) }
    printObjects(on, await on.ask(endpoints.setObjects, equipment, flags, { body }))
  },
})

export const objectsCreate = equipmentVerb({
  summary: 'Create an object (S14F9); exit code 8 when refused.',
  description: 'For control jobs there is `control-jobs create`.',
  usage: 'objects create EQUIPMENT TYPE [KEY=VALUE...]',
  examples: ['secsctl objects create etcher Substrate ObjID=W1 --specifier Equipment'],
  args: { type: TYPE_ARGUMENT },
  flags: { ...CHANGES, specifier: SPECIFIER },
  words: { '/attributes/': '*' },
  async one(on, { args: { equipment, type }, flags, words }) {
    const attributes = parseParameters(words.slice(2), undefined, EXAMPLE)
    const body = { type, attributes, ...specifierGiven(flags.specifier) }
    const result = await on.ask(endpoints.createObject, equipment, flags, { body })
    printObjectResult(on, result, [['object', result.specifier]])
  },
})

export const objectsDelete = equipmentVerb({
  summary: 'Delete an object (S14F11); exit code 8 when refused.',
  description: 'SPECIFIER is TYPE:ID, or the ID alone where the equipment wants that.',
  examples: ['secsctl objects delete etcher ControlJob:CJ-1 --yes'],
  args: { specifier: required('OBJSPEC, such as ControlJob:CJ-1.') },
  flags: CHANGES,
  async one(on, { args: { equipment, specifier }, flags }) {
    const { id, name } = await on.equipment(equipment)
    await on.confirmed(`Delete ${specifier} in ${name}?`, flags.yes)
    const result = await on.ask(endpoints.deleteObject, id, flags, { query: { specifier } })
    printObjectResult(on, result, [['object', specifier]])
  },
})
