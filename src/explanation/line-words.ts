import { type Entry, words } from './explanation.js'

type Fact = readonly [name: string, value: string]

/** Words of SECS-I (SEMI E4): its characters, the parts of a block, and the settings of a line. */
const LINE: Readonly<
  Record<string, readonly [text: string, facts?: readonly Fact[], also?: readonly string[]]>
> = {
  ENQ: [
    `SECS-I: one end of the line asks for permission to send a block.
    EOT answers it within T2. ENQ after ENQ without EOT: the equipment is off, the cable or the terminal server is wrong, or both ends are master.
    secsctl wire tail EQ
    secsctl equipment test HOST:PORT
    secsctl explain T2`,
    [['byte', '0x05']],
  ],
  EOT: [
    `SECS-I: the answer to ENQ. The other end may send its block now.
    The length byte of the block follows within T2. Where it does not, NAK follows.
    secsctl wire tail EQ`,
    [['byte', '0x04']],
  ],
  ACK: [
    `SECS-I: the block has come, and its length and checksum are right.
    A block without ACK within T2 is sent again, RTY times. The receiver drops a block that comes twice.
    secsctl wire tail EQ
    secsctl explain RTY`,
    [['byte', '0x06']],
  ],
  NAK: [
    `SECS-I: the block is refused. Its length byte or its checksum is wrong, or bytes are missing. The sender sends it again, RTY times.
    A single NAK is noise. NAK after every block: the line changes bytes. Compare baud rate and parity (SEMI E4: 8 data bits, no parity, 1 stop bit), and set a terminal server to raw TCP. See "bytes" for what came.
    secsctl wire tail EQ
    secsctl equipment traffic EQ
    secsctl equipment test HOST:PORT`,
    [['byte', '0x15']],
    ['naks', 'naks_in', 'naks_out'],
  ],
  RTY: [
    `SECS-I: how often a block is sent again, or the line is asked for again, before the connection ends with retry_limit.
    A noisy line needs more; the cause is better found than hidden.
    secsctl equipment traffic EQ
    secsctl equipment update EQ --rty 5
    secsctl explain retry_limit`,
    [
      ['default', '3'],
      ['range', '0 to 31'],
    ],
    ['retry limit', 'retries', 'retry count'],
  ],
  'R-bit': [
    `SECS-I: the direction of a block. 1: from the equipment to the host; 0: from the host to the equipment.
    The gateway takes blocks whatever their R-bit is: much equipment sets it wrong. R-bit 0 on all that comes may mean that a host is there.
    secsctl wire tail EQ
    secsctl equipment test HOST:PORT`,
    [['in the header', 'the highest bit of byte 1']],
    ['reverse bit'],
  ],
  'W-bit': [
    `The primary wants a reply. T3 is how long the sender waits for it.
    See which replies are late or missing.
    secsctl messages list --equipment EQ --limit 10
    secsctl explain T3`,
    [['in the header', 'the highest bit of byte 3, before the stream']],
    ['wait bit', 'reply bit'],
  ],
  'E-bit': [
    `SECS-I: the block is the last of its message.
    After a block without it the next one follows within T4.
    secsctl wire tail EQ
    secsctl explain T4`,
    [['in the header', 'the highest bit of byte 5, before the block number']],
    ['end bit'],
  ],
  'block number': [
    `SECS-I: the place of a block in its message, from 1. A message of one block may have 0.
    A number that does not follow is not taken, and the message is dropped after T4. The equipment skipped a block, or the gateway connected in the middle of a message.
    secsctl wire tail EQ
    secsctl equipment traffic EQ`,
    [['range', '1 to 32767']],
    ['unexpected block', 'unexpected'],
  ],
  block: [
    `SECS-I: a part of a message: a length byte, a header of 10 bytes, up to 244 bytes of the message, and a checksum of 2 bytes.
    ENQ and EOT come before each block, ACK or NAK after it.
    secsctl wire tail EQ
    secsctl explain NAK`,
    [['length byte', '10 to 254']],
    ['block header'],
  ],
  bytes: [
    `SECS-I, in the log of the wire: bytes that are not a complete block. NAK follows. A block is bytes where its length byte or its checksum is wrong, or where it stopped for longer than T1.
    Compare the first byte with the length: a block has 3 bytes more than it says. 0xFF twice for each 0xFF: a terminal server in Telnet mode; set it to raw TCP. Garbage: the baud rate or the parity is wrong. Too few bytes: noise, or a buffer of the terminal server that holds them back for longer than T1.
    secsctl wire tail EQ
    secsctl equipment test HOST:PORT
    secsctl equipment update EQ --baud-rate 9600
    secsctl equipment update EQ --timer t1=1s`,
    [],
    ['bad block', 'failed block', 'broken block'],
  ],
  checksum: [
    `SECS-I: the sum of header and data of a block, modulo 65,536. A block whose checksum is wrong is refused with NAK.
    The line changes bytes: compare baud rate and parity, and set a terminal server to raw TCP.
    secsctl wire tail EQ
    secsctl explain NAK`,
    [['in the block', 'the last two bytes']],
  ],
  master: [
    `SECS-I: the end that sends first where both ask for the line at once. The other one, the slave, yields. The equipment is master, unless it says otherwise.
    Both ends have to be told the same. With two masters neither answers the ENQ of the other; with two slaves each waits for a block of the other until T2.
    secsctl equipment update EQ --master host
    secsctl equipment test HOST:PORT`,
    [['default', 'equipment']],
    ['slave', 'contention'],
  ],
  duplicates: [
    `SECS-I: blocks that came again although they were acknowledged, and were dropped. The ACK was lost, or came later than the T2 of the equipment.
    Some are noise. Many mean delays between equipment and gateway: lengthen T2 at the equipment.
    secsctl equipment traffic EQ
    secsctl explain ACK`,
    [],
    ['duplicate block'],
  ],
  strays: [
    `SECS-I: bytes that mean nothing where they came, such as ACK on an idle line. They are ignored.
    Many are noise, or a terminal server that writes its own text to the line.
    secsctl wire tail EQ
    secsctl equipment traffic EQ`,
    [],
    ['stray byte'],
  ],
}

export const LINE_WORDS: readonly Entry[] = Object.entries(LINE).map(
  ([word, [text, facts = [], also = []]]) => ({
    word,
    kind: 'SECS-I',
    facts,
    also,
    ...words(text),
  }),
)
