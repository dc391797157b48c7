#!/usr/bin/env node
/** The `platen` command: starts the real one with the project's Node, whatever Node the machine has. */
import { handOver, root, setUp } from '../setup/run.mjs'

if (!(await setUp([]))) process.exit(1)
handOver([`${root}origin/cli/main.ts`, ...process.argv.slice(2)])
