;; Emacs with eglot, as docs/howto/editors.md sets it up: diagnostics of the text as it is typed, hover, from an access to the
;; other one, a code action. usage: emacs -Q --batch -l lsp.el, in a folder with reverse.cu; HGRD_CHECK names the server.
;; SPDX-License-Identifier: Apache-2.0
(require 'package)
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa") ; where Debian has it
(package-initialize)
(require 'eglot)
(require 'flymake)
(define-derived-mode cuda-mode c++-mode "CUDA")
(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . cuda-mode))
(add-to-list 'eglot-server-programs `(cuda-mode . (,(getenv "HGRD_CHECK") "--lsp")))
(setq eglot-autoshutdown t eglot-confirm-server-initiated-edits nil eglot-sync-connect 600 flymake-no-changes-timeout 0.1)

(defvar hgrd-failures 0)
(defun hgrd-expect (holds what)
  (unless holds
    (setq hgrd-failures (1+ hgrd-failures))
    (princ (format "%s\n" what))))
(defun hgrd-await (what fits)
  (let ((tries 0) found)
    (while (and (< tries 6000) (not (setq found (funcall fits))))
      (setq tries (1+ tries))
      (accept-process-output nil 0.1))
    (hgrd-expect found (format "did not come: %s" what))
    found))

(setq debug-on-error nil)
(find-file "reverse.cu")
(let ((project-find-functions (list (lambda (dir) (cons 'transient (expand-file-name dir))))))
  (call-interactively #'eglot))
(flymake-mode 1)
(hgrd-await "a connection" #'eglot-current-server)
(defun hgrd-diagnostics ()
  (flymake-start)
  (flymake-diagnostics))
(when (hgrd-await "diagnostics" #'hgrd-diagnostics)
  (let ((text (flymake-diagnostic-text (car (hgrd-diagnostics)))))
    (hgrd-expect (string-match-p "races with" text) text)
    (hgrd-expect (string-match-p "the other access" text) text))
  (hgrd-expect (= 4 (line-number-at-pos (flymake-diagnostic-beg (car (hgrd-diagnostics))))) "the line of the finding"))
(defun hgrd-ask (method line character)
  (jsonrpc-request (eglot-current-server) method
                   `(:textDocument ,(eglot--TextDocumentIdentifier) :position (:line ,line :character ,character))
                   :timeout 600))
(let ((hover (hgrd-ask :textDocument/hover 0 18)))
  (hgrd-expect (string-match-p "racy under 1 launch" (plist-get (plist-get hover :contents) :value)) (format "%S" hover)))
;; From the write to the read, by the command of the user.
(goto-char (point-min))
(forward-line 3)
(forward-char 3)
(call-interactively #'xref-find-definitions)
(hgrd-expect (= 5 (line-number-at-pos)) "M-. leads elsewhere")
;; What is typed counts.
(goto-char (point-min))
(forward-line 4)
(insert "  __syncthreads();\n")
(eglot--signal-textDocument/didChange)
(hgrd-await "the diagnostics to go" (lambda () (null (hgrd-diagnostics))))
(undo-boundary)
(forward-line -1)
(delete-region (point) (progn (forward-line 1) (point)))
(eglot--signal-textDocument/didChange)
(hgrd-await "the diagnostics to come back" #'hgrd-diagnostics)
;; The fix, as an action.
(let (fix)
  (hgrd-await
   "the fix"
   (lambda ()
     (seq-doseq (action (jsonrpc-request
                         (eglot-current-server) :textDocument/codeAction
                         `(:textDocument ,(eglot--TextDocumentIdentifier)
                           :range (:start (:line 3 :character 2) :end (:line 3 :character 2))
                           :context (:diagnostics []))
                         :timeout 600))
       (when (string-match-p "insert __syncthreads" (plist-get action :title)) (setq fix action)))
     fix))
  (when fix
    (eglot--apply-workspace-edit (plist-get fix :edit))
    (eglot--signal-textDocument/didChange)
    (hgrd-await "no diagnostics after the fix" (lambda () (null (hgrd-diagnostics))))))
(save-buffer)
(eglot-shutdown (eglot-current-server))
(kill-emacs (if (> hgrd-failures 0) 1 0))
