// The host of a page in the browser: the official app-bridge with an iframe.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

// The policy that a host applies to a page without declared domains.
const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

const host = { sizes: [], links: [], events: [] };

host.open = async ({ html, args, result, capabilities, context }) => {
  const iframe = document.getElementById("app");
  const bridge = new AppBridge(null, { name: "test host", version: "1.0.0" }, capabilities, { hostContext: context });
  host.bridge = bridge;
  bridge.oncalltool = async (params) => {
    const answer = await globalThis.callTool(params);
    if (answer.refused) throw new Error(answer.refused);
    return answer;
  };
  bridge.onreadresource = (params) => globalThis.readResource(params);
  bridge.onopenlink = async ({ url }) => {
    host.links.push(url);
    return {};
  };
  bridge.onsizechange = (size) => {
    host.sizes.push(size);
    if (size.height) iframe.style.height = `${size.height}px`;
  };
  bridge.oninitialized = async () => {
    host.events.push("initialized");
    await bridge.sendToolInput({ arguments: args });
    await bridge.sendToolResult(result);
  };
  // Listen before the page can send its first message, so that it is not lost.
  await bridge.connect(new PostMessageTransport(iframe.contentWindow, iframe.contentWindow));
  iframe.srcdoc = html.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
};

globalThis.host = host;
