import { equipmentItemReply, type ReplyRule } from '../../gem/role.js'
import {
  type BODIES,
  type BodyContent,
  type BodyName,
  buildBody,
  readBody,
} from '../../gem300/messages/bodies.js'
import { BodyError } from '../../gem300/messages/body-error.js'
import type { Item } from '../../secs2/item.js'
import type { Faults } from '../faults.js'
import { Objects } from './objects.js'
import { ERRCODE, Refusal } from './refusal.js'
import type { Tool } from './tool.js'

type Asking = Extract<
  BodyName,
  | 'S3F17'
  | 'S3F25'
  | 'S3F27'
  | 'S14F1'
  | 'S14F3'
  | 'S14F5'
  | 'S14F7'
  | 'S14F9'
  | 'S14F11'
  | 'S16F5'
  | 'S16F11'
  | 'S16F15'
  | 'S16F17'
  | 'S16F27'
>
type Replying = keyof typeof BODIES

/** How a tool answers one message of the host. */
interface Row {
  readonly message: Asking | 'S16F19' | 'S16F21'
  /** Changes something: only while the equipment is remote. */
  readonly isRemote: boolean
  /** The body of the reply. Throws `Refusal` and `BodyError`. */
  readonly reply: (tool: Tool, item: Item | undefined) => Item
  readonly refused: (tool: Tool, item: Item | undefined, refusal: Refusal) => Item
}

function row<Name extends Asking, Reply extends Replying>(
  message: Name,
  secondary: Reply,
  isRemote: boolean,
  reply: (tool: Tool, content: BodyContent<Name>) => BodyContent<Reply>,
  refused: (refusal: Refusal, content: BodyContent<Name>) => BodyContent<Reply>,
): Row {
  const read = (tool: Tool, item: Item | undefined) => readBody(message, item, tool.view)
  return {
    message,
    isRemote,
    reply: (tool, item) => buildBody(secondary, reply(tool, read(tool, item)), tool.view),
    refused: (tool, item, refusal) => buildBody(secondary, refused(refusal, read(tool, item)), tool.view),
  }
}

const asCarrier = (refusal: Refusal) => ({ CAACK: refusal.caack, ERRORS: refusal.errors })
const asJob = (refusal: Refusal) => ({ ACKA: false, ERRORS: refusal.errors })
const asObject = (refusal: Refusal) => ({ OBJACK: 'ERROR' as const, ERRORS: refusal.errors })
const DONE = { ACKA: true, ERRORS: [] }
const OBJECT_DONE = { OBJACK: 'DONE' as const, ERRORS: [] }
const CARRIER_DONE = { CAACK: 'PERFORMED' as const, ERRORS: [] }

/** Does this for each; what was done, and why the others were not. */
function each<One>(all: readonly One[], idOf: (one: One) => string, act: (one: One) => void) {
  const done: string[] = []
  const errors: Refusal['errors'][number][] = []
  for (const one of all) {
    try {
      act(one)
      done.push(idOf(one))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errors.push(...error.errors)
    }
  }
  return { PRJOBID: done, RESULT: { ACKA: errors.length === 0, ERRORS: errors } }
}

const ROWS: readonly Row[] = [
  row(
    'S3F17',
    'S3F18',
    true,
    (tool, asked) => {
      tool.carrierRequests.carrier(asked)
      return CARRIER_DONE
    },
    asCarrier,
  ),
  row(
    'S3F25',
    'S3F26',
    true,
    (tool, asked) => {
      tool.carrierRequests.port(asked)
      return CARRIER_DONE
    },
    asCarrier,
  ),
  row(
    'S3F27',
    'S3F28',
    true,
    (tool, asked) => {
      const errors = tool.carrierRequests.accessMode(asked)
      return { CAACK: errors.length > 0 ? 'PERFORMED_WITH_ERRORS' : 'PERFORMED', ERRORS: errors }
    },
    (refusal) => ({
      CAACK: refusal.caack,
      ERRORS: refusal.errors.map((error) => ({ PTN: undefined, ...error })),
    }),
  ),
  row(
    'S14F1',
    'S14F2',
    false,
    (tool, asked) => new Objects(tool).get(asked),
    (refusal) => ({
      OBJECTS: [],
      RESULT: asObject(refusal),
    }),
  ),
  row(
    'S14F3',
    'S14F4',
    true,
    (tool, asked) => new Objects(tool).set(asked),
    (refusal) => ({
      OBJECTS: [],
      RESULT: asObject(refusal),
    }),
  ),
  row(
    'S14F5',
    'S14F6',
    false,
    (tool) => ({ OBJTYPE: new Objects(tool).types, RESULT: OBJECT_DONE }),
    (refusal) => ({ OBJTYPE: [], RESULT: asObject(refusal) }),
  ),
  row(
    'S14F7',
    'S14F8',
    false,
    (tool, { OBJTYPE }) => ({ TYPES: new Objects(tool).attributesOf(OBJTYPE), RESULT: OBJECT_DONE }),
    (refusal) => ({ TYPES: [], RESULT: asObject(refusal) }),
  ),
  row(
    'S14F9',
    'S14F10',
    true,
    (tool, asked) => {
      const OBJSPEC = tool.jobRequests.createControlJob(asked)
      return { OBJSPEC, ATTRIBUTES: asked.ATTRIBUTES, RESULT: OBJECT_DONE }
    },
    (refusal, { OBJSPEC }) => ({ OBJSPEC, ATTRIBUTES: [], RESULT: asObject(refusal) }),
  ),
  row(
    'S14F11',
    'S14F12',
    true,
    (tool, { OBJSPEC }) => {
      tool.jobRequests.delete(OBJSPEC)
      return { ATTRIBUTES: [], RESULT: OBJECT_DONE }
    },
    (refusal) => ({ ATTRIBUTES: [], RESULT: asObject(refusal) }),
  ),
  row(
    'S16F5',
    'S16F6',
    true,
    (tool, asked) => {
      tool.jobRequests.commandProcessJob(asked)
      return { PRJOBID: asked.PRJOBID, RESULT: DONE }
    },
    (refusal, { PRJOBID }) => ({ PRJOBID, RESULT: asJob(refusal) }),
  ),
  row(
    'S16F11',
    'S16F12',
    true,
    (tool, asked) => {
      tool.jobRequests.createProcessJob(asked)
      return { PRJOBID: asked.PRJOBID, RESULT: DONE }
    },
    (refusal, { PRJOBID }) => ({ PRJOBID, RESULT: asJob(refusal) }),
  ),
  row(
    'S16F15',
    'S16F16',
    true,
    (tool, { JOBS }) =>
      each(
        JOBS,
        ({ PRJOBID }) => PRJOBID,
        (job) => tool.jobRequests.createProcessJob(job),
      ),
    (refusal) => ({ PRJOBID: [], RESULT: asJob(refusal) }),
  ),
  row(
    'S16F17',
    'S16F18',
    true,
    (tool, wanted) => {
      const free = [...tool.jobs.process.values()].filter((job) => job.isQueued && !job.controlJob)
      const ids = wanted.length > 0 ? wanted : free.map(({ id }) => id)
      return each(
        ids,
        (id) => id,
        (id) => tool.jobRequests.dequeue(id),
      )
    },
    (refusal) => ({ PRJOBID: [], RESULT: asJob(refusal) }),
  ),
  {
    message: 'S16F19',
    isRemote: false,
    reply: ({ jobs, view }) => {
      const states = [...jobs.process.values()].flatMap(({ id, state }) =>
        state === 'NO_STATE' ? [] : [{ PRJOBID: id, PRSTATE: state }],
      )
      return buildBody('S16F20', states, view)
    },
    refused: ({ view }) => buildBody('S16F20', [], view),
  },
  {
    message: 'S16F21',
    isRemote: false,
    reply: ({ jobs, view }) => buildBody('S16F22', jobs.space, view),
    refused: ({ view }) => buildBody('S16F22', 0, view),
  },
  row(
    'S16F27',
    'S16F28',
    true,
    (tool, asked) => {
      tool.jobRequests.commandControlJob(asked)
      return DONE
    },
    asJob,
  ),
]

/** The body of the reply to a message of the host; undefined for one that cannot be understood. */
function replyOf(
  { message, isRemote, reply, refused }: Row,
  tool: Tool,
  item: Item | undefined,
  world: { readonly isRemote: () => boolean; readonly faults: Faults },
): Item | undefined {
  try {
    const text = world.faults.refuse?.get(message)
    const refusal =
      isRemote && !world.isRemote()
        ? new Refusal(ERRCODE.notAvailable, 'Equipment is not ONLINE REMOTE')
        : text === undefined
          ? undefined
          : new Refusal(ERRCODE.ofSupplier, text)
    if (refusal) return refused(tool, item, refusal)
    try {
      return reply(tool, item)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return refused(tool, item, error)
    }
  } catch (error) {
    if (error instanceof BodyError) return undefined
    throw error
  } finally {
    tool.settle()
  }
}

/** What a tool answers beside GEM. Messages that it does not have are left out. */
export const toolReplies = (
  tool: Tool,
  world: { readonly isRemote: () => boolean; readonly faults: Faults },
): readonly ReplyRule[] => {
  const { jobCreation } = tool.settings
  const other = jobCreation === 'both' ? undefined : jobCreation === 'S16F11' ? 'S16F15' : 'S16F11'
  return ROWS.filter(({ message }) => message !== other).map((one) =>
    equipmentItemReply(one.message, (item) => replyOf(one, tool, item, world)),
  )
}
