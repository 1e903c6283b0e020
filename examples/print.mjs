// Runs the agent and prints each tool call with its answer, shortened, and its time.

const WIDTH = 100;

/** Returns how many tool calls failed. */
export async function printCalls(agent, message) {
  const started = new Map();
  let failures = 0;
  let last = performance.now();
  const stream = await agent.stream({ messages: [message] }, { streamMode: "updates", recursionLimit: 200 });
  for await (const update of stream) {
    for (const change of Object.values(update)) {
      for (const answer of messagesOf(change)) {
        for (const call of answer.tool_calls ?? []) started.set(call.id, { ...call, at: performance.now() });
        if (answer.getType() === "tool") failures += printAnswer(started.get(answer.tool_call_id), answer);
        else if (answer.getType() === "ai" && (answer.tool_calls ?? []).length === 0) {
          console.log(`\n${answer.text}\n(${(performance.now() - last).toFixed(0)} ms in all)\n`);
        }
      }
    }
  }
  return failures;
}

function messagesOf(change) {
  const messages = change?.messages ?? [];
  return (Array.isArray(messages) ? messages : [messages.value ?? []].flat()).filter(
    (message) => typeof message?.getType === "function",
  );
}

function printAnswer(call, answer) {
  const ms = (performance.now() - (call?.at ?? 0)).toFixed(1);
  const args = Object.values(call?.args ?? {})
    .map((value) => JSON.stringify(value))
    .join(", ");
  const text = shorten(textOf(answer));
  const failed = answer.status === "error" || text.startsWith("Error");
  console.log(`${failed ? "✗" : "✓"} ${shorten(`${answer.name}(${args})`)}  ${ms} ms\n    ${text}`);
  return failed ? 1 : 0;
}

function textOf(answer) {
  if (typeof answer.content === "string") return answer.content;
  return answer.content
    .map(
      (block) =>
        block.text ?? `[${block.type} ${block.mimeType ?? ""}, ${block.data?.length ?? 0} characters of base64]`,
    )
    .join(" ");
}

function shorten(text) {
  const line = text.replace(/\s*\r?\n\s*/g, " ⏎ ").trim();
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}… (${text.length} characters)` : line;
}
