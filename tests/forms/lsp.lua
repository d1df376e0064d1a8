-- Neovim, as docs/howto/editors.md sets it up: diagnostics of the text as it is typed, hover, lenses, from an access to the other
-- one, a code action. usage: nvim --headless -u NONE -i NONE -c "luafile lsp.lua", in a folder with reverse.cu; HGRD_CHECK names the server.
-- SPDX-License-Identifier: Apache-2.0
local hgrd = assert(os.getenv("HGRD_CHECK"))
local failures = 0
local function expect(holds, text)
  if not holds then failures = failures + 1; io.stdout:write(text .. "\n") end
end
local ok, why = pcall(function()
  -- The recipe of docs/howto/editors.md.
  vim.cmd("filetype on")
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "cuda",
    callback = function(event)
      local root = vim.fs and vim.fs.dirname(vim.fs.find({ "compile_commands.json", ".git" }, { upward = true })[1])
      local id = vim.lsp.start_client({ name = "hgrd", cmd = { hgrd, "--lsp" }, root_dir = root or vim.fn.getcwd() })
      vim.lsp.buf_attach_client(event.buf, id)
    end,
  })
  vim.cmd("edit reverse.cu")
  local function awaited(what, fits)
    local ok = vim.wait(600000, fits, 50)
    expect(ok, "did not come: " .. what)
  end
  awaited("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  local d = vim.diagnostic.get(0)[1]
  expect(d.lnum == 3 and d.col == 2 and d.severity == vim.diagnostic.severity.WARN, vim.inspect(d))
  expect(d.message:find("the other access") ~= nil or (d.user_data or {}).lsp, "message: " .. d.message)
  -- The text as it is typed.
  vim.api.nvim_buf_set_lines(0, 4, 4, false, { "  __syncthreads();" })
  awaited("the diagnostics to go", function() return #vim.diagnostic.get(0) == 0 end)
  vim.api.nvim_buf_set_lines(0, 4, 5, false, {})
  awaited("the diagnostics to come back", function() return #vim.diagnostic.get(0) > 0 end)
  local params = function(line, character) return { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = character } } end
  local function ask(method, p)
    local results = vim.lsp.buf_request_sync(0, method, p, 100000)
    for _, r in pairs(results or {}) do return r.result end
  end
  local hover = ask("textDocument/hover", params(0, 18))
  expect(hover and hover.contents.value:find("`reverse`: racy under 1 launch", 1, true), "hover: " .. vim.inspect(hover))
  local place = ask("textDocument/definition", params(3, 3))
  expect(place and place[1] and place[1].range.start.line == 4, "definition: " .. vim.inspect(place))
  local lenses = ask("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params() })
  expect(lenses and lenses[1].command.title == "racy under 1 launch", "lenses: " .. vim.inspect(lenses))
  -- A code action, as a user makes it.
  local action
  awaited("the fix", function()
    local p = vim.lsp.util.make_range_params()
    p.range = { start = { line = 3, character = 2 }, ["end"] = { line = 3, character = 2 } }
    p.context = { diagnostics = {} }
    for _, a in ipairs(ask("textDocument/codeAction", p) or {}) do
      if a.title:find("insert __syncthreads", 1, true) then action = a end
    end
    return action ~= nil
  end)
  if action then
    local client = vim.lsp.get_active_clients()[1]
    vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
    awaited("no diagnostics after the fix", function() return #vim.diagnostic.get(0) == 0 end)
    expect(vim.api.nvim_buf_get_lines(0, 4, 5, false)[1] == "  __syncthreads();", "the fix stands elsewhere")
  end
  vim.cmd("write")
  vim.lsp.stop_client(vim.lsp.get_active_clients())
  awaited("the end of the server", function() return #vim.lsp.get_active_clients() == 0 end)
end)
expect(ok, why)
vim.cmd(failures > 0 and "cquit 1" or "qall!")
