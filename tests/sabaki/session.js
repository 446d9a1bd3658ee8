// A session as Sabaki has it with an engine, through Sabaki's own client package. Prints what happened as one JSON object.
//   node session.js COMMAND [ARGUMENTS...]

const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const SIZE = 9
const LONGEST_GAME = 200 // moves

async function main() {
  let [command, ...args] = process.argv.slice(2)
  let controller = new Controller(command, args)
  let tracker = new ControllerStateTracker(controller)
  let report = {}
  controller.start()

  // on attaching: four questions, none of them waiting for an answer
  let names = ['name', 'version', 'protocol_version', 'list_commands']
  let answers = await Promise.all(names.map(name => controller.sendCommand({name})))
  report.handshake = answers.map(answer => answer.content)
  report.errors = answers.filter(answer => answer.error).length

  // a new game with handicap: komi, then board, then stones
  let handicap = {name: 'set_free_handicap', args: ['C3', 'G7']}
  await tracker.sync({komi: 0.5, boardsize: [SIZE, SIZE], history: [handicap]})
  report.handicap = (await controller.sendCommand({name: 'list_stones', args: ['B']})).content

  report.analysis = await analyze(controller, 'W', 3)
  report.game = await playGame(controller, 'W')

  // stepping back in the game tree: undo, or everything anew, until the engine stands at the third move
  let history = [...tracker.state.history]
  await tracker.sync({komi: 0.5, boardsize: [SIZE, SIZE], history: history.slice(0, 4)})
  report.movesAfterSync = (await controller.sendCommand({name: 'move_history'})).content.split('\n').length
  report.historyLength = history.length
  report.finalAnalysis = await analyze(controller, 'B', 1)
  await controller.stop()
  console.log(JSON.stringify(report))
}

// Analyze until `count` lines have come, then stop by the command that Sabaki uses for it.
async function analyze(controller, color, count) {
  let lines = []
  let finished = null
  let running = controller.sendCommand({name: 'kata-analyze', args: [color, '5']}, ({line}) => {
    if (line.startsWith('info ')) lines.push(line)
    if (lines.length >= count && finished == null) finished = controller.sendCommand({name: 'protocol_version'})
  })
  let response = await running
  let next = await finished
  return {lines, error: response.error, next: next.content}
}

// Both sides by genmove_analyze, as Sabaki asks for moves.
async function playGame(controller, color) {
  let moves = []
  let infoLines = 0
  while (moves.length < LONGEST_GAME && moves.slice(-2).join() !== 'pass,pass' && moves[moves.length - 1] !== 'resign') {
    let move = null
    await controller.sendCommand({name: 'kata-genmove_analyze', args: [color, '5']}, ({line}) => {
      if (line.startsWith('info ')) infoLines++
      let match = line.match(/^play (\S+)$/)
      if (match) move = match[1].toLowerCase()
    })
    if (move == null) throw new Error(`no move after ${moves}`)
    moves.push(move)
    color = color === 'B' ? 'W' : 'B'
  }
  return {moves, infoLines}
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
